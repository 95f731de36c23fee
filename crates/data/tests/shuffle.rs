use jarrah_data::Permutation;

#[test]
fn it_is_a_permutation_for_any_length() {
    for n in (1..300).chain([511, 512, 513, 1000, 4096, 4097, 65_537]) {
        for epoch in 0..2 {
            let p = Permutation::new(n, 7, epoch);
            let mut seen = vec![false; n as usize];
            for i in 0..n {
                assert!(!std::mem::replace(&mut seen[p.apply(i) as usize], true), "n {n} twice {i}");
            }
        }
    }
}

#[test]
fn large_domains_need_no_memory() {
    for n in [(1 << 40) + 1, u64::MAX] {
        let p = Permutation::new(n, 3, 0);
        let images: std::collections::HashSet<u64> = (0..1000).map(|i| p.apply(i)).collect();
        assert_eq!(images.len(), 1000);
        assert!(images.iter().all(|&i| i < n));
    }
}

#[test]
fn seed_and_epoch_change_the_order() {
    let order = |seed, epoch| -> Vec<u64> {
        let p = Permutation::new(100, seed, epoch);
        (0..100).map(|i| p.apply(i)).collect()
    };
    assert_ne!(order(1, 0), order(1, 1));
    assert_ne!(order(1, 0), order(2, 0));
    assert_eq!(order(1, 1), order(1, 1));
    assert_ne!(order(1, 0), (0..100).collect::<Vec<_>>());
}

/// Checkpoints hold a position in this order: these numbers must never change.
#[test]
fn the_order_is_fixed_for_good() {
    let p = Permutation::new(10, 42, 3);
    assert_eq!((0..10).map(|i| p.apply(i)).collect::<Vec<_>>(), [0, 6, 1, 9, 3, 8, 2, 7, 4, 5]);
}

/// Every index lands everywhere about equally often: chi-squared over 10 cells stays below the 0.1 % point of 9
/// degrees of freedom times a margin for ten looks.
#[test]
fn each_index_goes_everywhere() {
    for i in 0..10 {
        let mut counts = [0f64; 10];
        for seed in 0..5000 {
            counts[Permutation::new(10, seed, 0).apply(i) as usize] += 1.0;
        }
        let chi: f64 = counts.iter().map(|c| (c - 500.0).powi(2) / 500.0).sum();
        assert!(chi < 33.7, "index {i}: {counts:?}");
    }
}
