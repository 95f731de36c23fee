use std::ops::ControlFlow;

use jarrah_array::random::Key;
use jarrah_array::{Array, TreeExt, jit};
use jarrah_models::{Decoder, DecoderConfig, Extents, Family, Pretrained};
use jarrah_nn::{Context, Module};
use jarrah_serve::{CHUNK, Completion, Finish, Generator, Request, Sampling};
use jarrah_tokenizer::{Tokenizer, TrainOptions, train};

fn tokenizer() -> Tokenizer {
    train(&["the quick brown fox jumps over the lazy dog, and the dog sleeps"], &TrainOptions::new(280))
        .unwrap()
}

fn config(context: usize, vocabulary: usize) -> DecoderConfig {
    let extents = Extents {
        layers: Some(2),
        width: Some(16),
        hidden: Some(64),
        heads: Some(2),
        context: Some(context),
        vocabulary: Some(vocabulary),
        ..Extents::default()
    };
    let json = extents.set(Pretrained::preset("gpt2").unwrap()).unwrap();
    Family::of(&json).unwrap().config(&json).unwrap()
}

/// A model with weights large enough to prefer some tokens clearly.
fn model(context: usize) -> Decoder {
    Decoder::new(&config(context, 280), &Key::new(3)).map_leaves(|w: &Array| w * 8.0)
}

fn generator(context: usize) -> Generator {
    Generator::new(model(context), tokenizer()).unwrap()
}

fn request(max_tokens: usize) -> Request {
    Request {
        prompt: "the quick".to_owned(),
        chat: false,
        max_tokens,
        sampling: Sampling { temperature: 1.0, top_k: 0, top_p: 1.0 },
        seed: 5,
        stop: Vec::new(),
    }
}

/// The completion, and the pieces it was shown in.
fn run(generator: &Generator, request: &Request) -> (Completion, Vec<String>) {
    let mut pieces = Vec::new();
    let completion = generator.generate(request, &mut |piece| {
        pieces.push(piece.to_owned());
        ControlFlow::Continue(())
    });
    (completion.unwrap(), pieces)
}

#[test]
fn every_cut_of_a_sequence_has_the_bits_of_the_training_form() {
    let context = CHUNK + 6;
    let generator = generator(context);
    let tokens: Vec<u32> = (0..context as u32).map(|i| (i * i * 7 + 11 * i) % 280).collect();

    let own = generator.model().unwrap();
    let forward = jit(move |tokens: &Array| own.call(tokens, &mut Context::eval()));
    let ids: Vec<i32> = tokens.iter().map(|&id| id as i32).collect();
    let all: Vec<f32> = forward.call(Array::new(&ids, &[1, context])).unwrap().to_vec().unwrap();
    let trained: Vec<&[f32]> = all.chunks(280).collect();

    let singles = vec![1; context];
    for sizes in [&[CHUNK, CHUNK][..], &[CHUNK, 1, 1, 1, 1, 1, 1], &singles, &[3, CHUNK, CHUNK]] {
        let rows = generator.score(&tokens, sizes).unwrap();
        assert_eq!(rows.len(), context);
        for (i, (row, expected)) in rows.iter().zip(&trained).enumerate() {
            let same = row.iter().zip(*expected).all(|(a, b)| a.to_bits() == b.to_bits());
            assert!(same, "row {i} of chunks {sizes:?}");
        }
    }
}

#[test]
fn the_same_request_gives_the_same_text_in_pieces_that_join_to_it() {
    let generator = generator(48);
    let (first, pieces) = run(&generator, &request(24));
    assert_eq!(first.finish, Finish::MaxTokens);
    assert_eq!(first.tokens.len(), 24);
    assert_eq!(pieces.concat(), first.text);
    assert!(pieces.len() > 5, "text streams: {pieces:?}");
    assert_eq!(run(&generator, &request(24)).0, first);
    assert_eq!(run(&self::generator(48), &request(24)).0, first);
    // What is drawn at a place does not depend on how much is drawn.
    assert_eq!(run(&generator, &request(9)).0.tokens, first.tokens[..9]);
    assert_ne!(run(&generator, &Request { seed: 6, ..request(24) }).0.tokens, first.tokens);
}

#[test]
fn greedy_text_needs_no_seed() {
    let generator = generator(48);
    let greedy = |seed| Request { seed, sampling: Sampling::greedy(), ..request(12) };
    assert_eq!(run(&generator, &greedy(1)), run(&generator, &greedy(2)));
}

#[test]
fn a_stop_string_ends_the_text_wherever_tokens_end() {
    let generator = generator(48);
    let (whole, pieces) = run(&generator, &request(24));
    // Over the border of two pieces.
    let (left, right) = (&pieces[2], &pieces[3]);
    let stop = format!("{}{}", left.chars().last().unwrap(), right.chars().next().unwrap());
    let at = whole.text.find(&stop).unwrap();
    let (cut, shown) = run(&generator, &Request { stop: vec![stop.clone()], ..request(24) });
    assert_eq!(cut.finish, Finish::Stop(stop));
    assert_eq!(cut.text, whole.text[..at]);
    assert_eq!(shown.concat(), cut.text, "nothing of the stop string is shown");
    assert!(cut.tokens.len() < whole.tokens.len());
    // One that never comes holds nothing back in the end.
    let never = Request { stop: vec![format!("{}\u{1}", whole.text.chars().last().unwrap())], ..request(24) };
    assert_eq!(run(&generator, &never).0.text, whole.text);
}

/// Every token past the context is the one that follows the last context of tokens in the training form of the model.
#[test]
fn past_the_context_the_last_tokens_of_it_decide() {
    let context = 16;
    let generator = generator(context);
    let greedy = Request { sampling: Sampling::greedy(), ..request(40) };
    let (completion, _) = run(&generator, &greedy);
    // The token after a full context is still drawn from the cache.
    assert_eq!(completion.past_context, completion.prompt_tokens + completion.tokens.len() - (context + 1));
    assert!(completion.past_context > 10, "{completion:?}");
    follows_the_last_context(&generator, &greedy, &completion);

    let exact = Request { prompt: "x".repeat(context), ..greedy.clone() };
    let (completion, _) = run(&generator, &exact);
    assert_eq!((completion.prompt_tokens, completion.past_context), (16, 39));
    follows_the_last_context(&generator, &exact, &completion);

    let long = Request { prompt: "x".repeat(37), sampling: Sampling::greedy(), ..request(5) };
    let (completion, _) = run(&generator, &long);
    assert_eq!((completion.prompt_tokens, completion.past_context), (37, 5));
    follows_the_last_context(&generator, &long, &completion);
}

fn follows_the_last_context(generator: &Generator, greedy: &Request, completion: &Completion) {
    let own = generator.model().unwrap();
    let context = own.context;
    let forward = jit(move |tokens: &Array| own.call(tokens, &mut Context::eval()));
    let mut sequence = tokenizer().encode_prompt(&greedy.prompt).unwrap();
    for (i, &token) in completion.tokens.iter().enumerate() {
        let window = &sequence[sequence.len().saturating_sub(context)..];
        let mut ids: Vec<i32> = window.iter().map(|&id| id as i32).collect();
        let last = ids.len() - 1;
        ids.resize(context, 0);
        let logits = forward.call(Array::new(&ids, &[1, context])).unwrap().to_vec::<f32>().unwrap();
        let row = &logits[last * 280..][..tokenizer().vocab_size()];
        let likeliest = (0..row.len()).rev().max_by(|&a, &b| row[a].total_cmp(&row[b])).unwrap();
        assert_eq!(token, likeliest as u32, "token {i}");
        sequence.push(token);
    }
}

#[test]
fn the_receiver_can_end_the_text() {
    let generator = generator(48);
    let mut seen = 0;
    let completion = generator.generate(&request(24), &mut |_| {
        seen += 1;
        if seen == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert_eq!(completion.unwrap().finish, Finish::Cancelled);
    assert_eq!(seen, 3);
}

#[test]
fn nothing_asked_for_is_nothing_given() {
    let (completion, pieces) = run(&generator(16), &request(0));
    assert_eq!((completion.text.as_str(), pieces.len()), ("", 0));
    assert_eq!(completion.finish, Finish::MaxTokens);
}

#[test]
fn an_empty_prompt_begins_a_document() {
    let (completion, _) = run(&generator(16), &Request { prompt: String::new(), ..request(4) });
    assert_eq!(completion.prompt_tokens, 1);
}

#[test]
fn a_tokenizer_of_another_model_is_refused() {
    let small = Decoder::new(&config(8, 100), &Key::new(0));
    let error = Generator::new(small, tokenizer()).err().unwrap();
    assert!(error.message().starts_with("the tokenizer has "), "{error}");
}

/// Texts of different lengths, past the context too, stopped at different times.
#[test]
fn texts_generated_together_are_those_generated_alone() {
    let generator = generator(CHUNK + 20);
    let long = "the lazy dog sleeps and ".repeat(9);
    let mut requests = vec![request(24), request(3), Request { seed: 9, ..request(30) }];
    requests.push(Request { prompt: String::new(), sampling: Sampling::greedy(), ..request(11) });
    requests.push(Request { prompt: long[..120].to_owned(), ..request(40) });
    requests.push(Request { prompt: long, seed: 2, ..request(7) });
    let alone: Vec<Completion> = requests.iter().map(|request| run(&generator, request).0).collect();
    let first = &alone[0].text;
    requests[2].stop = vec![first.chars().skip(5).take(1).collect()];
    let alone: Vec<Completion> = requests.iter().map(|request| run(&generator, request).0).collect();
    assert!(alone[4].past_context > 0 && alone[5].past_context > 0, "{alone:?}");

    let mut shown = vec![String::new(); requests.len()];
    let together = generator.generate_batch(&requests, &mut |i, piece| {
        shown[i] += piece;
        ControlFlow::Continue(())
    });
    let together = together.unwrap();
    assert_eq!(together, alone);
    let texts: Vec<&String> = together.iter().map(|completion| &completion.text).collect();
    assert_eq!(shown.iter().collect::<Vec<_>>(), texts);

    // The end of one text does not end the others.
    let ended = generator.generate_batch(&requests[..2], &mut |i, _| {
        if i == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    let ended = ended.unwrap();
    assert_eq!((&ended[0].finish, &ended[1]), (&Finish::Cancelled, &alone[1]));
    assert_eq!(generator.generate_batch(&[], &mut |_, _| ControlFlow::Continue(())).unwrap(), []);
}
