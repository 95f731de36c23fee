/// The template that recipes and pipelines call `chatml`: each message between two names of tokens. Answers end with the token that ends a text, which models know that know
/// no others.
pub(crate) const CHATML: &str = "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>' }}\
                      {% if message['role'] == 'assistant' and eos_token is defined and eos_token != '<|im_end|>' %}{{ eos_token }}{% endif %}\
                      {{ '\n' }}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}";

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use jarrah_tokenizer::chat::{Chat, ChatValue, Template};

    use super::*;

    #[test]
    fn chatml_ends_answers_as_the_model_ends_texts() {
        let template = Template::new(CHATML).unwrap();
        let mut chat = Chat::new([("user", "what?"), ("assistant", "so")]);
        let written = |chat: &Chat| template.render(chat).unwrap();
        let before = "<|im_start|>user\nwhat?<|im_end|>\n<|im_start|>assistant\n";
        assert_eq!(written(&chat), format!("{before}so<|im_end|>\n"));
        chat.variables = vec![("eos_token".to_owned(), ChatValue::from("</s>"))];
        assert_eq!(written(&chat), format!("{before}so<|im_end|></s>\n"));
        chat.variables = vec![("eos_token".to_owned(), ChatValue::from("<|im_end|>"))];
        assert_eq!(written(&chat), format!("{before}so<|im_end|>\n"));
        chat = Chat { add_generation_prompt: true, ..Chat::new([("user", "what?")]) };
        assert_eq!(written(&chat), before);
    }
}
