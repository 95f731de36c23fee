//! What an answer must be, and which tools it may call.

use jarrah_structured::{Tool, ToolChoice};
use jarrah_tokenizer::chat::Value;

use crate::app::App;
use crate::fields::{Fields, flag, list, object, text};
use crate::refusal::{Refusal, Result};

/// The form that is asked of an answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Form {
    /// Any object of JSON.
    JsonObject,
    /// What a schema describes.
    JsonSchema(serde_json::Value),
    /// What a regular expression matches.
    Regex(String),
    /// One of these.
    Choice(Vec<String>),
    /// What a grammar produces.
    Grammar(String),
    /// Free text with parts that have a form.
    StructuralTag(serde_json::Value),
}

/// What a request asks of the answer's form.
#[derive(Clone, Debug)]
pub struct Constraint {
    /// The form of the text.
    pub form: Option<Form>,
    /// The tools that there are.
    pub tools: Vec<Tool>,
    /// Which of them are called.
    pub choice: ToolChoice,
}

impl Constraint {
    /// The fields `response_format`, `structured_outputs`, `tools`, `tool_choice` and `parallel_tool_calls`.
    pub fn read(fields: &Fields<'_>) -> Result<Constraint> {
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
        fields.read("parallel_tool_calls", flag)?;
        Ok(Constraint { form: format.or(structured), tools, choice })
    }

    /// Where constraints are handed on: what nothing keeps an answer to is refused.
    pub fn hand_on(&self, app: &App) -> Result<()> {
        if self.form.is_some() {
            let message = "this server does not keep answers to a form: leave out `response_format` and `structured_outputs`";
            return Err(Refusal::field("response_format", message));
        }
        match self.choice {
            ToolChoice::None => Ok(()),
            ToolChoice::Auto if app.options.tools.is_some() => Ok(()),
            ToolChoice::Auto => {
                let message = "this server does not read calls of tools: start it with --tool-call-parser, or say \"tool_choice\": \"none\"";
                Err(Refusal::field("tool_choice", message))
            }
            ToolChoice::Required | ToolChoice::Named(_) => {
                let message = "this server does not make the model call a tool: say \"tool_choice\": \"auto\" or \"none\"";
                Err(Refusal::field("tool_choice", message))
            }
        }
    }
}

/// `{"type": "text" | "json_object" | "json_schema" | "structural_tag"}`.
fn response_format(fields: &Fields<'_>) -> Result<Option<Form>> {
    let kind = fields.need("type", text)?;
    Ok(match kind.as_str() {
        "text" => None,
        "json_object" => Some(Form::JsonObject),
        "json_schema" => Some(fields.need(
            "json_schema",
            object(|f| {
                f.need("name", text)?;
                Ok(Form::JsonSchema(f.need("schema", object(|f| f.json()))?))
            }),
        )?),
        "structural_tag" => Some(Form::StructuralTag(fields.json()?)),
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
fn structured_outputs(fields: &Fields<'_>) -> Result<Option<Form>> {
    let schema = |value: &Value, path: &str| match value.as_str() {
        Some(text) => serde_json::from_str(text)
            .map_err(|e| Refusal::field(path, format!("`{path}` is a string that is not JSON: {e}"))),
        None => object(|f| f.json())(value, path),
    };
    let forms = [
        fields.read("json", schema)?.map(Form::JsonSchema),
        fields.flag("json_object")?.then_some(Form::JsonObject),
        fields.read("regex", text)?.map(Form::Regex),
        fields.read("choice", list(text))?.map(Form::Choice),
        fields.read("grammar", text)?.map(Form::Grammar),
        fields.read("structural_tag", schema)?.map(Form::StructuralTag),
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
