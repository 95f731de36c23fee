//! What an answer must be, and which tools it may call.

use jarrah_structured::{Constraint, Tool, ToolChoice};
use jarrah_tokenizer::chat::Value;

use crate::app::App;
use crate::fields::{Fields, flag, list, object, text};
use crate::refusal::{Refusal, Result};

/// What a request asks of the answer's form.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// The form of the text.
    pub form: Option<Constraint>,
    /// The tools that there are.
    pub tools: Vec<Tool>,
    /// Which of them are called.
    pub choice: ToolChoice,
    /// Whether several may be called at once.
    pub parallel: bool,
}

impl Wanted {
    /// The fields `response_format`, `structured_outputs`, `tools`, `tool_choice` and `parallel_tool_calls`.
    pub fn read(fields: &Fields<'_>) -> Result<Wanted> {
        let format = fields.read("response_format", object(|f| response_format(&f)))?.flatten();
        let structured = fields.read("structured_outputs", object(|f| structured_outputs(&f)))?.flatten();
        if format.is_some() && structured.is_some() {
            let message = "give either `response_format` or `structured_outputs`";
            return Err(Refusal::field(fields.path("structured_outputs"), message));
        }
        let tools = fields.read("tools", tools)?.unwrap_or_default();
        let choice = match fields.get("tool_choice") {
            None if tools.is_empty() => ToolChoice::None,
            None => ToolChoice::Auto,
            Some(value) => tool_choice(&value, &fields.path("tool_choice"), &tools)?,
        };
        let parallel = fields.read("parallel_tool_calls", flag)?.unwrap_or(true);
        Ok(Wanted { form: format.or(structured), tools, choice, parallel })
    }

    /// What the answer is kept to: calls that must come, or else the form of the text.
    pub fn constraint(&self, app: &App) -> Result<Option<Constraint>> {
        let Wanted { form, tools, choice, parallel } = self;
        let calls = match (choice, app.options.tools) {
            (ToolChoice::None, _) => None,
            (_, Some(format)) => jarrah_structured::tools::constraint(tools, choice, format, *parallel),
            (_, None) => {
                let message = "this server does not read calls of tools: start it with --tool-call-parser, or say \"tool_choice\": \"none\"";
                return Err(Refusal::field("tool_choice", message));
            }
        };
        match (calls, form) {
            (Some(_), Some(_)) => {
                let message = "the answer is calls of tools, and cannot have a form of its own: leave out `response_format`, or say \"tool_choice\": \"none\"";
                Err(Refusal::field("response_format", message))
            }
            (calls, form) => Ok(calls.or_else(|| form.clone())),
        }
    }
}

/// `{"type": "text" | "json_object" | "json_schema" | "structural_tag"}`.
fn response_format(fields: &Fields<'_>) -> Result<Option<Constraint>> {
    let kind = fields.need("type", text)?;
    Ok(match kind.as_str() {
        "text" => None,
        "json_object" => Some(Constraint::JsonObject),
        "json_schema" => Some(fields.need(
            "json_schema",
            object(|f| {
                f.need("name", text)?;
                Ok(Constraint::JsonSchema(f.need("schema", object(|f| f.json()))?))
            }),
        )?),
        "structural_tag" => Some(Constraint::StructuralTag(fields.json()?)),
        other => {
            let path = fields.path("type");
            let message = format!(
                "`{path}` is `{other}`, but must be `text`, `json_object`, `json_schema` or `structural_tag`"
            );
            return Err(Refusal::field(path, message));
        }
    })
}

/// One of `json`, `json_object`, `regex`, `choice`, `grammar` and `structural_tag`.
fn structured_outputs(fields: &Fields<'_>) -> Result<Option<Constraint>> {
    let schema = |value: &Value, path: &str| match value.as_str() {
        Some(text) => serde_json::from_str(text)
            .map_err(|e| Refusal::field(path, format!("`{path}` is a string that is not JSON: {e}"))),
        None => object(|f| f.json())(value, path),
    };
    let forms = [
        fields.read("json", schema)?.map(Constraint::JsonSchema),
        fields.flag("json_object")?.then_some(Constraint::JsonObject),
        fields.read("regex", text)?.map(Constraint::Regex),
        fields.read("choice", list(text))?.map(Constraint::Choice),
        fields.read("grammar", text)?.map(Constraint::Grammar),
        fields.read("structural_tag", schema)?.map(Constraint::StructuralTag),
    ];
    let mut forms = forms.into_iter().flatten();
    match (forms.next(), forms.next()) {
        (form, None) => Ok(form),
        _ => Err(Refusal::field("structured_outputs", "`structured_outputs` has several forms: give one")),
    }
}

/// `[{"type": "function", "function": {"name", "description", "parameters"}}]`.
fn tools(value: &Value, path: &str) -> Result<Vec<Tool>> {
    let each = |tool: &Value, path: &str| {
        object(|tool| {
            function_type(&tool)?;
            tool.need(
                "function",
                object(|function| {
                    function.read("description", text)?;
                    function.read("parameters", object(|_| Ok(())))?;
                    function.need("name", text)
                }),
            )
        })(tool, path)
    };
    if list(each)(value, path)?.is_empty() {
        let message = format!("`{path}` is an empty list: leave it out where there are none");
        return Err(Refusal::field(path, message));
    }
    let json = serde_json::to_value(value).map_err(|e| Refusal::field(path, format!("`{path}`: {e}")))?;
    Tool::list(&json).map_err(|e| Refusal::from(e).at(path))
}

fn function_type(fields: &Fields<'_>) -> Result<()> {
    match fields.read("type", text)?.as_deref() {
        None | Some("function") => Ok(()),
        Some(other) => {
            let path = fields.path("type");
            Err(Refusal::field(path.clone(), format!("`{path}` is `{other}`, but must be `function`")))
        }
    }
}

fn tool_choice(value: &Value, path: &str, tools: &[Tool]) -> Result<ToolChoice> {
    let choice = match value.as_str() {
        Some("none") => return Ok(ToolChoice::None),
        Some("auto") => ToolChoice::Auto,
        Some("required") => ToolChoice::Required,
        Some(other) => {
            let message = format!(
                "`{path}` is `{other}`, but must be `none`, `auto`, `required` or {{\"type\": \"function\", \"function\": {{\"name\": ...}}}}"
            );
            return Err(Refusal::field(path, message));
        }
        None => object(|choice| {
            function_type(&choice)?;
            Ok(ToolChoice::Named(choice.need("function", object(|f| f.need("name", text)))?))
        })(value, path)?,
    };
    match &choice {
        _ if tools.is_empty() => Err(Refusal::field(path, format!("`{path}` needs `tools`"))),
        ToolChoice::Named(name) if !tools.iter().any(|tool| tool.name == *name) => {
            Err(Refusal::field(path, format!("`{path}` names `{name}`, which is none of the `tools`")))
        }
        _ => Ok(choice),
    }
}
