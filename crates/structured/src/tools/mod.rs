//! Tools that a model may call: their definitions, which of them it may or must call, the formats that families of models write calls in, and the
//! grammars of these.

mod format;
mod grammar;
pub(crate) mod parse;
mod pythonic;

use jarrah_base::{Error, Result};
use serde_json::{Map, Value, json};

use crate::Constraint;
pub use format::ToolFormat;
pub(crate) use grammar::grammar;

/// A function that the model may call.
#[derive(Clone, Debug, PartialEq)]
pub struct Tool {
    /// Its name: letters, digits, `_`, `-` and `.`, at most 64.
    pub name: String,
    /// A description of the tool's effect, for the model.
    pub description: Option<String>,
    /// The JSON schema of its arguments, an object.
    pub parameters: Value,
    /// Whether its arguments have to keep to the schema.
    pub strict: bool,
}

impl Tool {
    /// The tools of a request: OpenAI's `tools`, `[{"type": "function", "function": {"name", "description", "parameters", "strict"}}]`, or the same
    /// without the inner object, as the Responses API has them.
    ///
    /// # Errors
    /// The value is no such list, a name is malformed or repeated, or parameters are no schema of an object (`Input`).
    ///
    /// ```
    /// use jarrah_structured::Tool;
    /// let tools = Tool::list(&serde_json::json!([{"type": "function", "function": {"name": "now"}}]))?;
    /// assert_eq!(tools[0].name, "now");
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    pub fn list(tools: &Value) -> Result<Vec<Tool>> {
        let items = match tools {
            Value::Null => return Ok(Vec::new()),
            Value::Array(items) => items,
            _ => return Err(Error::input("`tools` is not a list")),
        };
        let mut list: Vec<Tool> = Vec::new();
        for (i, item) in items.iter().enumerate() {
            let wrong = |what: &str| Error::input(format!("tools[{i}] {what}"));
            if item.get("type").is_some_and(|kind| kind != "function") {
                return Err(wrong(&format!("is of the type {}", item["type"])).help("functions are known"));
            }
            let function = item.get("function").unwrap_or(item);
            let name = function["name"].as_str().ok_or_else(|| wrong("has no `name`"))?;
            let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
            if name.is_empty() || name.len() > 64 || !name.chars().all(is_name) {
                return Err(wrong(&format!("has the name {name:?}"))
                    .help("a name is 1 to 64 letters, digits, underscores, dashes and dots"));
            }
            if list.iter().any(|tool| tool.name == name) {
                return Err(wrong(&format!("has the name {name:?}, as one before it")));
            }
            let parameters = match function.get("parameters") {
                None | Some(Value::Null) => {
                    json!({"type": "object", "properties": {}, "additionalProperties": false})
                }
                Some(Value::Object(schema)) => Value::Object(schema.clone()),
                Some(_) => return Err(wrong("has `parameters` that are no JSON schema")),
            };
            if parameters.get("type").is_some_and(|kind| kind != "object") {
                return Err(wrong("has `parameters` of another type than `object`"));
            }
            list.push(Tool {
                name: name.to_owned(),
                description: function["description"].as_str().map(str::to_owned),
                parameters,
                strict: function["strict"].as_bool().unwrap_or(false),
            });
        }
        Ok(list)
    }

    /// The tools as chat templates expect them: OpenAI's form, without fields that templates do not know.
    pub fn for_template(tools: &[Tool]) -> Value {
        let each = |tool: &Tool| {
            let mut function = Map::new();
            function.insert("name".to_owned(), tool.name.as_str().into());
            if let Some(description) = &tool.description {
                function.insert("description".to_owned(), description.as_str().into());
            }
            function.insert("parameters".to_owned(), tool.parameters.clone());
            json!({"type": "function", "function": function})
        };
        tools.iter().map(each).collect()
    }

    /// The schema of its arguments, which are an object.
    pub(crate) fn schema(&self) -> Value {
        let mut schema = self.parameters.clone();
        if let Value::Object(entries) = &mut schema {
            entries.entry("type").or_insert_with(|| "object".into());
        }
        schema
    }
}

/// Which tools may or must be called.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ToolChoice {
    /// None: text that looks like a call is content.
    None,
    /// The model decides.
    #[default]
    Auto,
    /// At least one.
    Required,
    /// This one.
    Named(String),
}

impl ToolChoice {
    /// OpenAI's `tool_choice`: `"none"`, `"auto"`, `"required"` or `{"type": "function", "function": {"name"}}`; nothing is `auto` where there are
    /// tools.
    ///
    /// # Errors
    /// The value is none of these, names no tool, or requires a tool where none is given (`Input`).
    pub fn parse(choice: &Value, tools: &[Tool]) -> Result<ToolChoice> {
        let name = choice["function"]["name"].as_str().or_else(|| choice["name"].as_str());
        match (choice.as_str(), name) {
            (Some("none"), _) => Ok(ToolChoice::None),
            (Some("auto"), _) => Ok(ToolChoice::Auto),
            (Some("required"), _) if tools.is_empty() => {
                Err(Error::input("`tool_choice` is \"required\", and there are no `tools`"))
            }
            (Some("required"), _) => Ok(ToolChoice::Required),
            (None, Some(name)) if tools.iter().any(|tool| tool.name == name) => {
                Ok(ToolChoice::Named(name.to_owned()))
            }
            (None, Some(name)) => {
                Err(Error::input(format!("`tool_choice` names {name:?}, which is not in `tools`")))
            }
            (None, None) if choice.is_null() && tools.is_empty() => Ok(ToolChoice::None),
            (None, None) if choice.is_null() => Ok(ToolChoice::Auto),
            _ => Err(Error::input(format!("`tool_choice` is {choice}")).help(
                r#"it is "none", "auto", "required" or {"type": "function", "function": {"name": ..}}"#,
            )),
        }
    }
}

/// The constraint that makes an output the calls that a choice asks for, in the format of the model; none where the model decides and no tool is
/// strict, or no tool is to be called.
///
/// ```
/// use jarrah_structured::{Constraint, Tool, ToolChoice, ToolFormat, tools};
/// let list = Tool::list(&serde_json::json!([{"type": "function", "function": {"name": "now"}}]))?;
/// assert_eq!(tools::constraint(&list, &ToolChoice::Auto, ToolFormat::Hermes, true), None);
/// let constraint = tools::constraint(&list, &ToolChoice::Required, ToolFormat::Hermes, true);
/// assert!(matches!(constraint, Some(Constraint::ToolCalls { parallel: true, .. })));
/// # Ok::<(), jarrah_base::Error>(())
/// ```
pub fn constraint(
    tools: &[Tool],
    choice: &ToolChoice,
    format: ToolFormat,
    parallel: bool,
) -> Option<Constraint> {
    let wanted = match choice {
        ToolChoice::None => false,
        ToolChoice::Auto => tools.iter().any(|tool| tool.strict),
        ToolChoice::Required | ToolChoice::Named(_) => true,
    };
    wanted.then(|| Constraint::ToolCalls { format, tools: tools.to_vec(), choice: choice.clone(), parallel })
}
