use jarrah_serve::Sampling;

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

fn sampling(temperature: f64, top_k: usize, top_p: f64) -> Sampling {
    Sampling { temperature, top_k, top_p }
}

#[test]
fn without_temperature_the_likeliest_token_is_taken_and_the_first_of_equals() {
    for uniform in [0.0, 0.5, 0.999] {
        assert_eq!(Sampling::greedy().pick(&[0.5, 2.0, -1.0, 2.0], uniform).unwrap(), 1);
    }
}

#[test]
fn candidates_have_the_softmax_of_the_scaled_logits() {
    let logits = logits(1, 40);
    let all = sampling(0.7, 0, 1.0).candidates(&logits).unwrap();
    assert_eq!(all.len(), logits.len());
    let total: f64 = all.iter().map(|(_, p)| p).sum();
    assert!((total - 1.0).abs() < 1e-12);
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
            let kept = sampling(1.0, k, 1.0).candidates(&logits).unwrap();
            let values: Vec<f32> = kept.iter().map(|(id, _)| logits[*id as usize]).collect();
            assert_eq!(values, sorted[..k.min(100)]);
        }
    }
}

#[test]
fn top_p_keeps_the_fewest_that_have_the_probability() {
    for seed in 0..20 {
        let logits = logits(seed, 100);
        let all = sampling(1.0, 0, 1.0).candidates(&logits).unwrap();
        for p in [0.0, 0.1, 0.5, 0.9, 0.99] {
            let kept = sampling(1.0, 0, p).candidates(&logits).unwrap();
            let mass = |n: usize| all[..n].iter().map(|(_, q)| q).sum::<f64>();
            assert!(mass(kept.len()) >= p - 1e-12);
            assert!(kept.len() == 1 || mass(kept.len() - 1) < p);
            assert!(kept.iter().zip(&all).all(|(a, b)| a.0 == b.0));
            assert!((kept.iter().map(|(_, q)| q).sum::<f64>() - 1.0).abs() < 1e-12);
        }
    }
}

#[test]
fn tokens_are_drawn_as_often_as_they_are_likely() {
    let logits = logits(3, 10);
    let rule = sampling(0.9, 5, 0.97);
    let n = 100_000;
    let mut counts = [0u32; 10];
    for i in 0..n {
        counts[rule.pick(&logits, (f64::from(i) + 0.5) / f64::from(n)).unwrap() as usize] += 1;
    }
    for (id, p) in rule.candidates(&logits).unwrap() {
        let share = f64::from(std::mem::take(&mut counts[id as usize])) / f64::from(n);
        assert!((share - p).abs() < 2e-5, "{id}: {share} {p}");
    }
    assert_eq!(counts, [0; 10], "no other token is drawn");
}

#[test]
fn infinite_logits_take_everything_or_nothing() {
    let inf = f32::INFINITY;
    assert_eq!(sampling(1.0, 0, 1.0).candidates(&[0.0, inf, 1.0, inf]).unwrap()[..2], [(1, 0.5), (3, 0.5)]);
    let rule = sampling(1.0, 0, 1.0);
    assert!((0..100).all(|i| rule.pick(&[-inf, 1.0, -inf], f64::from(i) / 100.0).unwrap() == 1));
}

#[test]
fn broken_models_and_wrong_numbers_are_told() {
    let error = |logits: &[f32]| Sampling::default().pick(logits, 0.5).unwrap_err().to_string();
    assert!(error(&[1.0, f32::NAN]).starts_with("the model's logits are not numbers"));
    assert!(error(&[f32::NEG_INFINITY; 3]).starts_with("the model's logits are not numbers"));
    let wrong = |rule: Sampling| rule.check().unwrap_err().message().to_owned();
    assert_eq!(wrong(sampling(-1.0, 0, 1.0)), "the temperature is -1, but must be 0 or more");
    assert_eq!(wrong(sampling(f64::NAN, 0, 1.0)), "the temperature is NaN, but must be 0 or more");
    assert_eq!(wrong(sampling(1.0, 0, 1.5)), "top-p is 1.5, but must be between 0 and 1");
}
