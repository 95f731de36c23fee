use jarrah_serve::{Params, Sampler, candidates};
use jarrah_structured::TokenMask;

/// Numbers without order, the same every time.
fn logits(seed: u32, n: usize) -> Vec<f32> {
    let mut x = seed.wrapping_mul(2_654_435_761).wrapping_add(1);
    let mut next = || {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        (x >> 8) as f32 / (1 << 24) as f32 * 8.0 - 4.0
    };
    (0..n).map(|_| next()).collect()
}

fn sampling(temperature: f64, top_k: usize, top_p: f64) -> Params {
    Params { temperature, top_k, top_p, ..Params::default() }
}

/// The token that this seed draws.
fn draw(params: &Params, logits: &[f32], seed: u64) -> u32 {
    Sampler::new(params.clone().into(), seed, &[1], Vec::new(), &[])
        .choose(logits, (1, &[1]), None, None)
        .unwrap()
        .0
}

/// Candidates, likeliest first.
fn ranked(params: &Params, logits: &[f32]) -> Vec<(u32, f64)> {
    let mut all = candidates(logits, params).unwrap();
    assert!(all.is_sorted_by_key(|(id, _)| *id));
    let total: f64 = all.iter().map(|(_, p)| p).sum();
    assert!((total - 1.0).abs() < 1e-12);
    all.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    all
}

#[test]
fn without_temperature_the_likeliest_token_is_taken_and_the_first_of_equals() {
    for seed in 0..9 {
        assert_eq!(draw(&Params::greedy(), &[0.5, 2.0, -1.0, 2.0], seed), 1);
    }
}

#[test]
fn candidates_have_the_softmax_of_the_scaled_logits() {
    let logits = logits(1, 40);
    let all = ranked(&sampling(0.7, 0, 1.0), &logits);
    assert_eq!(all.len(), logits.len());
    for pair in all.windows(2) {
        let [(i, p), (j, q)] = pair else { unreachable!() };
        let expected = (f64::from(logits[*i as usize] - logits[*j as usize]) / 0.7).exp();
        assert!(p >= q);
        assert!((p / q / expected - 1.0).abs() < 1e-6, "{p} {q} {expected}");
    }
}

#[test]
fn top_k_keeps_the_k_largest() {
    for seed in 0..20 {
        let logits = logits(seed, 100);
        let mut sorted = logits.clone();
        sorted.sort_by(|a, b| b.total_cmp(a));
        for k in [1, 2, 7, 99, 100, 1000] {
            let kept = ranked(&sampling(1.0, k, 1.0), &logits);
            let values: Vec<f32> = kept.iter().map(|(id, _)| logits[*id as usize]).collect();
            assert_eq!(values, sorted[..k.min(100)]);
        }
    }
}

#[test]
fn top_p_keeps_the_fewest_that_have_the_probability() {
    // More tokens than are looked at first, nearly all of which are wanted.
    for (seed, count) in (0..20).map(|seed| (seed, 100)).chain([(30, 5000)]) {
        let logits = logits(seed, count);
        let all = ranked(&sampling(1.0, 0, 1.0), &logits);
        for p in [1e-9, 0.1, 0.5, 0.9, 0.99, 0.9999] {
            let kept = ranked(&sampling(1.0, 0, p), &logits);
            let mass = |n: usize| all[..n].iter().map(|(_, q)| q).sum::<f64>();
            assert!(mass(kept.len()) >= p - 1e-12);
            assert!(kept.len() == 1 || mass(kept.len() - 1) < p);
            assert!(kept.iter().zip(&all).all(|(a, b)| a.0 == b.0));
        }
    }
}

#[test]
fn min_p_keeps_what_is_likely_beside_the_likeliest() {
    let logits = logits(4, 200);
    let all = ranked(&sampling(1.3, 0, 1.0), &logits);
    for min_p in [0.01, 0.1, 0.7, 1.0] {
        let params = Params { min_p, ..sampling(1.3, 0, 1.0) };
        let expected: Vec<u32> =
            all.iter().filter(|(_, p)| *p >= min_p * all[0].1).map(|(id, _)| *id).collect();
        let kept: Vec<u32> = ranked(&params, &logits).iter().map(|(id, _)| *id).collect();
        assert_eq!(kept, expected);
        // With others: of the likeliest five those that have it.
        let both = ranked(&Params { top_k: 5, ..params }, &logits);
        assert_eq!(both.len(), expected.len().min(5));
    }
}

#[test]
fn tokens_are_drawn_as_often_as_they_are_likely() {
    let logits = logits(3, 10);
    let rule = sampling(0.9, 5, 0.97);
    let n = 200_000;
    let mut counts = [0u32; 10];
    for seed in 0..n {
        counts[draw(&rule, &logits, seed) as usize] += 1;
    }
    for (id, p) in candidates(&logits, &rule).unwrap() {
        let share = f64::from(std::mem::take(&mut counts[id as usize])) / n as f64;
        // Five deviations of a share.
        let most = 5.0 * (p * (1.0 - p) / n as f64).sqrt();
        assert!((share - p).abs() < most, "{id}: {share} {p}");
    }
    assert_eq!(counts, [0; 10], "no other token is drawn");
}

#[test]
fn infinite_logits_take_everything_or_nothing() {
    let inf = f32::INFINITY;
    assert_eq!(candidates(&[0.0, inf, 1.0, inf], &Params::default()).unwrap(), [(1, 0.5), (3, 0.5)]);
    assert!((0..100).all(|seed| draw(&Params::default(), &[-inf, 1.0, -inf], seed) == 1));
}

#[test]
fn broken_models_are_told() {
    let error = |logits: &[f32]| candidates(logits, &Params::default()).unwrap_err().to_string();
    assert!(error(&[1.0, f32::NAN]).starts_with("the model's logits are not numbers"));
    assert!(error(&[f32::NEG_INFINITY; 3]).starts_with("no token may come next"));
}

/// Those of the six tokens that may come.
fn mask(may: impl Fn(u32) -> bool) -> TokenMask {
    let mut mask = TokenMask::new(6);
    (0..6).filter(|token| may(*token)).for_each(|token| mask.allow(token));
    mask
}

/// What penalties do to logits, by the formulas of the documentation.
#[test]
fn penalties_bias_and_bad_words_change_the_logits_they_are_about() {
    let logits = [2.0f32, -1.0, 0.5, 1.0, -3.0, 0.0];
    let params = Params {
        repetition_penalty: 2.0,
        frequency_penalty: 0.25,
        presence_penalty: 0.5,
        logit_bias: vec![(5, 1.5)],
        temperature: 0.0,
        ..Params::default()
    };
    // Token 0 is in the prompt, 3 comes twice in the answer.
    let mut sampler = Sampler::new(params.into(), 0, &[0], Vec::new(), &[]);
    let mut tokens = vec![0];
    for only in [3, 3] {
        let (token, _) = sampler
            .choose(&logits, (tokens.len(), &tokens), Some(&mask(|token| token == only)), None)
            .unwrap();
        tokens.push(token);
    }
    assert_eq!(tokens, [0, 3, 3]);
    // Now: 0 is 1.0, 3 is 0.5 - 0.5 - 0.5, 5 is 1.5.
    let pick = |sampler: &mut Sampler, out: &[u32]| {
        sampler
            .choose(&logits, (tokens.len(), &tokens), Some(&mask(|token| !out.contains(&token))), None)
            .unwrap()
            .0
    };
    let mut order = Vec::new();
    for _ in 0..6 {
        // A sampler of its own each time, with the same past.
        let mut sampler = Sampler::new(
            Params {
                repetition_penalty: 2.0,
                frequency_penalty: 0.25,
                presence_penalty: 0.5,
                logit_bias: vec![(5, 1.5)],
                ..Params::greedy()
            }
            .into(),
            0,
            &[0],
            Vec::new(),
            &[],
        );
        for at in 1..3 {
            sampler.choose(&logits, (at, &tokens[..at]), Some(&mask(|token| token == 3)), None).unwrap();
        }
        order.push(pick(&mut sampler, &order));
    }
    assert_eq!(order, [5, 0, 2, 3, 1, 4]);

    // A bad word of two tokens: the second may not follow the first, and may come elsewhere.
    let mut sampler = Sampler::new(Params::greedy().into(), 0, &[0], vec![vec![0, 0]], &[]);
    assert_eq!(
        sampler.choose(&logits, (1, &[0]), None, None).unwrap().0,
        0,
        "the prompt is no part of the answer"
    );
    assert_eq!(sampler.choose(&logits, (2, &[0, 0]), None, None).unwrap().0, 3);
    assert_eq!(sampler.choose(&logits, (3, &[0, 0, 3]), None, None).unwrap().0, 0);
}
