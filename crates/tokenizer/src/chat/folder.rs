use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use jarrah_base::{Error, Result};
use jarrah_formats::json;
use jarrah_formats::tokenizers::{CHAT_TEMPLATE, CHAT_TEMPLATES, MORE_TEMPLATES};
use minijinja::Value;

use super::{Chat, Template};

/// The special tokens that templates know by name.
const TOKENS: [&str; 7] =
    ["bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token"];

/// The chat templates of a model's folder, and the special tokens that they write.
#[derive(Default)]
pub struct Templates {
    templates: BTreeMap<String, Template>,
    tokens: Vec<(String, Value)>,
}

impl Templates {
    /// Reads the templates of a folder: `chat_template.jinja` and those in `additional_chat_templates`, or
    /// `chat_template.json`, or `chat_template` in `tokenizer_config.json`, a text or a list of templates with names.
    ///
    /// # Errors
    /// There is none; a file is not JSON, or a template is wrong (`Input`, naming the file).
    pub fn load(folder: impl AsRef<Path>) -> Result<Templates> {
        let folder = folder.as_ref();
        let found = Templates::find_in(folder)?;
        found.ok_or_else(|| none().context(format!("while reading {}", folder.display())))
    }

    /// The templates of a folder, as [`load`](Self::load) reads them; `None` where it has none.
    ///
    /// # Errors
    /// A file is not JSON, or a template is wrong (`Input`, naming the file).
    pub fn find_in(folder: impl AsRef<Path>) -> Result<Option<Templates>> {
        let folder = folder.as_ref();
        let mut more = Vec::new();
        for entry in fs::read_dir(folder.join(MORE_TEMPLATES)).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.extension().is_some_and(|e| e == "jinja") {
                more.extend(path.file_name().and_then(|name| name.to_str()).map(str::to_owned));
            }
        }
        let read = |name: &str| fs::read(folder.join(name)).ok();
        Templates::of(&read, &more).map_err(|e| e.context(format!("while reading {}", folder.display())))
    }

    /// The templates among the small files of a model, which `files` gives by name: as [`load`](Self::load) reads those of a folder.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    pub fn from_files<'a>(files: impl Fn(&str) -> Option<&'a [u8]>) -> Result<Templates> {
        Templates::find(files)?.ok_or_else(none)
    }

    /// The templates among files; `None` where no file has one.
    ///
    /// # Errors
    /// As [`find_in`](Self::find_in).
    pub fn find<'a>(files: impl Fn(&str) -> Option<&'a [u8]>) -> Result<Option<Templates>> {
        Templates::of(&|name| files(name).map(<[u8]>::to_vec), &[])
    }

    /// The templates of files, `more` of which are in the folder of further ones.
    fn of(files: &dyn Fn(&str) -> Option<Vec<u8>>, more: &[String]) -> Result<Option<Templates>> {
        let read = |name: &str| -> Result<Value> {
            let Some(bytes) = files(name) else { return Ok(Value::from(())) };
            json::value(&bytes).map_err(|e| Error::input(format!("{name} is not JSON: {e}")))
        };
        let text = |name: &str| {
            let utf8 = files(name).map(String::from_utf8);
            utf8.transpose().map_err(|_| Error::input(format!("{name} is not UTF-8 text")))
        };
        let config = read("tokenizer_config.json")?;
        let mut texts: Vec<(String, String)> = Vec::new();
        let default = || "default".to_owned();
        if let Some(content) = text(CHAT_TEMPLATE)? {
            texts.push((default(), content));
            for name in more {
                let stem = name.trim_end_matches(".jinja").to_owned();
                texts.extend(text(&format!("{MORE_TEMPLATES}/{name}"))?.map(|content| (stem, content)));
            }
        } else {
            let beside = read(CHAT_TEMPLATES)?;
            let found = [&beside, &config].map(|json| get(json, "chat_template"));
            let found = found.into_iter().find(|value| !value.is_none() && !value.is_undefined());
            let value = found.unwrap_or_default();
            match value.as_str() {
                Some(text) => texts.push((default(), text.to_owned())),
                None => {
                    for item in value.try_iter().into_iter().flatten() {
                        if let (Some(name), Some(text)) =
                            (get(&item, "name").as_str(), get(&item, "template").as_str())
                        {
                            texts.push((name.to_owned(), text.to_owned()));
                        }
                    }
                }
            }
        }
        if texts.is_empty() {
            return Ok(None);
        }
        let mut templates = BTreeMap::new();
        for (name, text) in texts {
            let template = Template::new(&text).map_err(|e| e.context(format!("in the template {name}")))?;
            templates.insert(name, template);
        }
        let other = read("special_tokens_map.json")?;
        let token = |name: &str| {
            let values = [&config, &other].map(|json| get(json, name));
            let text = |value: &Value| {
                value
                    .as_str()
                    .map(str::to_owned)
                    .or_else(|| get(value, "content").as_str().map(str::to_owned))
            };
            Some((name.to_owned(), Value::from(values.iter().find_map(text)?)))
        };
        let tokens = TOKENS.iter().filter_map(|name| token(name)).collect();
        Ok(Some(Templates { templates, tokens }))
    }

    /// Adds a template called `name`: `default` is the template of conversations.
    ///
    /// ```
    /// use jarrah_tokenizer::chat::{Chat, Template, Templates};
    /// let templates = Templates::default().with("default", Template::new("{{ messages[0].content }}!")?);
    /// assert_eq!(templates.render(&Chat::new([("user", "Hello")]))?, "Hello!");
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    pub fn with(mut self, name: &str, template: Template) -> Templates {
        self.templates.insert(name.to_owned(), template);
        self
    }

    /// The names of the templates.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.templates.keys().map(String::as_str)
    }

    /// The template called `name`.
    pub fn get(&self, name: &str) -> Option<&Template> {
        self.templates.get(name)
    }

    /// The prompt of a conversation: by the template `tool_use` where there are tools and such a template, else by `default`.
    ///
    /// # Errors
    /// There is no such template; and as [`Template::render`].
    pub fn render(&self, chat: &Chat) -> Result<String> {
        let tools = chat.tools.as_ref().and_then(|_| self.templates.get("tool_use"));
        let template = tools.or_else(|| self.templates.get("default")).ok_or_else(|| {
            let names: Vec<&str> = self.names().collect();
            Error::input(format!("there is no template called default, but {}", names.join(", ")))
                .help("take one of them by its name")
        })?;
        let mut chat = chat.clone();
        // A variable of the caller overrides a token of the same name.
        chat.variables = self.tokens.iter().cloned().chain(chat.variables).collect();
        template.render(&chat)
    }
}

fn none() -> Error {
    Error::input("the model has no chat template")
        .help("it is looked for as chat_template.jinja and as chat_template in tokenizer_config.json")
}

/// The entry of a map; undefined where there is none.
fn get(value: &Value, name: &str) -> Value {
    value.get_attr(name).unwrap_or_default()
}
