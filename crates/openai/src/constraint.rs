//! The constraints of a request on its answer: the form of the text, and the tools that may be called.

use jarrah_structured::{Constraint, Tool, ToolChoice};
use jarrah_tokenizer::chat::{ChatValue, parse, to_json};

use crate::app::App;
use crate::refusal::{Refusal, Result};
use jarrah_tokenizer::chat::fields::{Fault, Fields, flag, list, object, one_of, text};

/// The constraints that a request states.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// The form that the text must have: a schema, a grammar, ..
    pub form: Option<Constraint>,
    /// The path of the field that states the form.
    form_path: String,
    /// The tools that the model may call.
    pub tools: Vec<Tool>,
    /// Which tools must, may or must not be called.
    pub choice: ToolChoice,
    /// Whether the answer may have several calls.
    pub parallel: bool,
}

/// The JSON shape of tools and forms, by route.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// In chats, the function of a tool is an object inside of the tool, as is that of a `tool_choice`.
    Chat,
    /// In responses, the tool itself is the function.
    Response,
}

impl Wanted {
    /// Reads the constraints of a `/v1/responses` request: the fields `text`, `tools`, `tool_choice` and `parallel_tool_calls`.
    pub fn of_response(fields: &Fields<'_>) -> Result<Wanted> {
        let format = |text: &Fields<'_>| {
            text.known(&["verbosity"]);
            text.read("format", object(|f: &Fields<'_>| response_format(f, Shape::Response)))
        };
        let form = fields.read("text", object(format))?.flatten().flatten();
        Wanted::with(form, "text.format".to_owned(), fields, Shape::Response)
    }

    /// Reads the constraints of a chat or a completion: the fields `response_format`, `structured_outputs`, `tools`,
    /// `tool_choice` and `parallel_tool_calls`.
    pub fn read(fields: &Fields<'_>) -> Result<Wanted> {
        let format = fields
            .read("response_format", object(|f: &Fields<'_>| response_format(f, Shape::Chat)))?
            .flatten();
        let structured = fields.read("structured_outputs", object(structured_outputs))?.flatten();
        if format.is_some() && structured.is_some() {
            let message = "give either `response_format` or `structured_outputs`";
            return Err(Refusal::field(fields.path("structured_outputs"), message));
        }
        let (form, path) = match structured {
            Some((form, path)) => (Some(form), path),
            None => (format, fields.path("response_format")),
        };
        Wanted::with(form, path, fields, Shape::Chat)
    }

    fn with(
        form: Option<Constraint>,
        form_path: String,
        fields: &Fields<'_>,
        shape: Shape,
    ) -> Result<Wanted> {
        let tools = fields.read("tools", |value, path| tools(value, path, shape))?.unwrap_or_default();
        let choice = match fields.get("tool_choice") {
            None if tools.is_empty() => ToolChoice::None,
            None => ToolChoice::Auto,
            // A response without tools may state `"tool_choice": "auto"`: there is nothing to choose.
            Some(value) if tools.is_empty() && shape == Shape::Response && value.as_str() == Some("auto") => {
                ToolChoice::None
            }
            Some(value) => tool_choice(&value, &fields.path("tool_choice"), &tools, shape)?,
        };
        let parallel = fields.read("parallel_tool_calls", flag)?.unwrap_or(true);
        Ok(Wanted { form, form_path, tools, choice, parallel })
    }

    /// The path of the field that constrains the answer.
    pub fn path(&self) -> &str {
        if self.form.is_some() { &self.form_path } else { "tools" }
    }

    /// The constraint on the answer: the calls that must or may come, or else the form of the text.
    pub fn constraint(&self, app: &App) -> Result<Option<Constraint>> {
        let Wanted { form, form_path, tools, choice, parallel } = self;
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
                let message = format!(
                    "the answer is calls of tools, and cannot have a form of its own: leave out `{form_path}`, or say \"tool_choice\": \"none\""
                );
                Err(Refusal::field(form_path.as_str(), message))
            }
            (calls, form) => Ok(calls.or_else(|| form.clone())),
        }
    }
}

/// `{"type": "text" | "json_object" | "json_schema" | "structural_tag"}`.
fn response_format(fields: &Fields<'_>, shape: Shape) -> Result<Option<Constraint>> {
    let schema = |f: &Fields<'_>| {
        f.known(&["description", "strict"]);
        f.need("name", text)?;
        Ok::<_, Refusal>(Constraint::JsonSchema(f.need("schema", object(|f| f.json()))?))
    };
    let kind = fields.need("type", text)?;
    Ok(match kind.as_str() {
        "text" => None,
        "json_object" => Some(Constraint::JsonObject),
        "json_schema" if shape == Shape::Chat => Some(fields.need("json_schema", object(schema))?),
        "json_schema" => Some(schema(fields)?),
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

/// The forms that the field `structured_outputs` may state.
const FORMS: [&str; 6] = ["json", "json_object", "regex", "choice", "grammar", "structural_tag"];

/// The form in `structured_outputs`: one of `json`, `json_object`, `regex`, `choice`, `grammar` and `structural_tag`, and the
/// path of the field.
fn structured_outputs(fields: &Fields<'_>) -> Result<Option<(Constraint, String)>> {
    for name in ["disable_any_whitespace", "whitespace_pattern", "disable_additional_properties"] {
        fields.without(name, "JSON has blanks and further properties as its schema lets it")?;
    }
    // A misspelt name must not be ignored: the answer would be free to have any form.
    let names = fields.names();
    let known = |name: &String| {
        FORMS.contains(&name.as_str()) || name.starts_with("disable_") || name == "whitespace_pattern"
    };
    if let Some(other) = names.iter().find(|name| !known(name)) {
        let path = fields.path(other);
        let message = format!("`{path}` is no form: give one of `{}`", FORMS.join("`, `"));
        return Err(Refusal::field(path, message));
    }
    let schema = |value: &ChatValue, path: &str| match value.as_str() {
        Some(text) => parse(text.as_bytes()).and_then(|value| to_json(&value)).map_err(|e| {
            Fault::new(path, e.message().replacen("it is", &format!("`{path}` is a string that is"), 1))
        }),
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
    let named = forms.into_iter().zip(FORMS);
    let mut forms = named.filter_map(|(form, name)| form.map(|form| (form, fields.path(name))));
    match (forms.next(), forms.next()) {
        (None, _) => {
            let message = format!("`structured_outputs` has no form: give one of `{}`", FORMS.join("`, `"));
            Err(Refusal::field("structured_outputs", message))
        }
        (form, None) => Ok(form),
        _ => Err(Refusal::field("structured_outputs", "`structured_outputs` has several forms: give one")),
    }
}

/// Reads `[{"type": "function", "function": {"name", "description", "parameters"}}]`, or in the shape of responses without the
/// inner object.
fn tools(value: &ChatValue, path: &str, shape: Shape) -> Result<Vec<Tool>> {
    let function = |function: &Fields<'_>| {
        function.open();
        function.read("description", text)?;
        function.read("parameters", |value, path| Fields::of(value, path.to_owned()).map(|_| ()))?;
        function.need("name", text)
    };
    let each = |tool: &ChatValue, path: &str| {
        let tool = Fields::of(tool, path.to_owned())?;
        function_type(&tool)?;
        match shape {
            Shape::Chat => tool.need("function", object(function)),
            Shape::Response => function(&tool),
        }
    };
    if list(each)(value, path)?.is_empty() {
        // OpenAI's clients send an empty list for a response without tools.
        if shape == Shape::Response {
            return Ok(Vec::new());
        }
        let message = format!("`{path}` is an empty list: leave it out where there are none");
        return Err(Refusal::field(path, message));
    }
    let json = to_json(value).map_err(|e| Refusal::field(path, format!("`{path}`: {}", e.message())))?;
    Tool::list(&json).map_err(|e| Refusal::from(e).at(path))
}

fn function_type(fields: &Fields<'_>) -> Result<(), Fault> {
    fields.read("type", one_of(&["function"])).map(|_| ())
}

fn tool_choice(value: &ChatValue, path: &str, tools: &[Tool], shape: Shape) -> Result<ToolChoice> {
    let object_form = match shape {
        Shape::Chat => r#"{"type": "function", "function": {"name": ...}}"#,
        Shape::Response => r#"{"type": "function", "name": ...}"#,
    };
    let choice = match value.as_str() {
        Some("none") => return Ok(ToolChoice::None),
        Some("auto") => ToolChoice::Auto,
        Some("required") => ToolChoice::Required,
        Some(other) => {
            let message =
                format!("`{path}` is `{other}`, but must be `none`, `auto`, `required` or {object_form}");
            return Err(Refusal::field(path, message));
        }
        None => object(|choice| {
            function_type(choice)?;
            Ok::<_, Refusal>(ToolChoice::Named(match shape {
                Shape::Chat => choice.need("function", object(|f| f.need("name", text)))?,
                Shape::Response => choice.need("name", text)?,
            }))
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
