//! Grain's order, element by element, and NumPy's numbers, bit by bit: goldens of `oracle/grain_order.py`.

use std::collections::{BTreeMap, BTreeSet};

use jarrah_base::{Error, Literal, Result};
use jarrah_data::random::{BitGenerator, Generator, Pcg64, Philox};
use jarrah_data::{
    DataLoader, Features, IndexSampler, IndexShuffle, IterDataset, MapDataset, PackOptions, PackStrategy,
    ReadOptions, RecordOrder, Seed, ShardOptions, SplitOptions,
};
use serde_json::Value as Json;

const PRIME: i64 = 1_000_003;

/// An element of the drawn pipelines.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Integer(i64),
    Float(f64),
    List(Vec<Value>),
}

use Value::{Float, Integer, List};

impl Value {
    fn of(json: &Json) -> Self {
        match json {
            Json::Array(list) => List(list.iter().map(Value::of).collect()),
            Json::String(bits) => {
                let bits = bits.strip_prefix("f:").unwrap();
                Float(f64::from_bits(u64::from_str_radix(bits, 16).unwrap()))
            }
            number => Integer(number.as_i64().unwrap()),
        }
    }

    fn first(&self) -> i64 {
        match self {
            Integer(x) => *x,
            Float(x) => (x * 1000.0).floor() as i64,
            List(list) => list.first().map_or(0, Value::first),
        }
    }

    fn mapped(self, mul: i64, add: i64) -> Self {
        match self {
            Integer(x) => Integer((x * mul + add).rem_euclid(PRIME)),
            Float(x) => Float(x * mul as f64 + add as f64),
            List(list) => List(list.into_iter().map(|v| v.mapped(mul, add)).collect()),
        }
    }

    fn fanned(self, fan: i64) -> Vec<Self> {
        (0..self.first().rem_euclid(fan + 1)).map(|j| List(vec![Integer(j), self.clone()])).collect()
    }
}

fn drawn(kind: &str, rng: &mut Generator, value: &Value) -> Result<Value> {
    let x = value.first();
    let list = |values: Vec<u64>| List(values.into_iter().map(|v| Integer(v as i64)).collect());
    Ok(match kind {
        "integers" => Integer(x + rng.integers(0, 1 << 20)?),
        "wide" => Integer(rng.integers(-(1 << 40), 1 << 40)?),
        "random" => Float(rng.random()),
        "normal" => Float(rng.normal(1.0, 2.0)),
        "uniform" => Float(rng.uniform(-1.0, 3.0)),
        "exponential" => Float(rng.exponential(2.0)),
        "permutation" => list(rng.permutation(5)),
        "choice" => Integer(rng.choice(100)? as i64),
        "weighted" => Integer(rng.choice_weighted(&[0.25, 0.25, 0.5])? as i64),
        "distinct" => list(rng.choice_without_replacement(30, 4)?),
        "several" => List(vec![
            Integer(rng.integers(0, 7)?),
            Float(rng.random()),
            Integer(rng.integers(0, 7)?),
            Float(rng.standard_normal()),
            Integer(x),
        ]),
        other => return Err(Error::input(format!("no draw is named {other}"))),
    })
}

/// A stage of the file, with its arguments.
struct Stage<'a>(&'a Json);

impl Stage<'_> {
    fn op(&self) -> &str {
        self.0["op"].as_str().unwrap()
    }

    fn int(&self, name: &str) -> i64 {
        self.0[name].as_i64().unwrap_or_else(|| panic!("{name} of {}", self.0))
    }

    fn optional(&self, name: &str) -> Option<i64> {
        self.0[name].as_i64()
    }

    fn yes(&self, name: &str) -> bool {
        self.0[name].as_bool().unwrap()
    }

    fn seed(&self) -> Seed {
        self.0["seed"].as_u64().map_or(Seed::Inherited, Seed::Given)
    }

    fn weights(&self) -> Option<Vec<f64>> {
        Some(self.0["weights"].as_array()?.iter().map(|w| w.as_f64().unwrap()).collect())
    }

    fn parents(&self) -> &[Json] {
        self.0["of"].as_array().unwrap()
    }

    fn is_by_index(&self) -> bool {
        match (&self.0["of"], self.op()) {
            (_, "range") => true,
            (_, "to_iter" | "interleave" | "lanes" | "loader" | "pack" | "split") => false,
            (Json::Array(parents), _) => Stage(&parents[0]).is_by_index(),
            (parent, _) => Stage(parent).is_by_index(),
        }
    }
}

/// The dataset of a stage by index.
pub fn by_index(json: &Json) -> MapDataset<Value> {
    let s = Stage(json);
    let parent = || by_index(&json["of"]);
    let parents = || s.parents().iter().map(by_index).collect::<Vec<_>>();
    match s.op() {
        "range" => MapDataset::range(s.int("start"), s.int("stop"), s.int("step")).map(Integer),
        "concatenate" => MapDataset::concatenate(&parents()),
        "mix" => MapDataset::mix(&parents(), s.weights().as_deref()),
        "zip" => MapDataset::zip(&parents()).pipe(|zipped| zipped.map(List)),
        "map" => {
            let (mul, add) = (s.int("mul"), s.int("add"));
            parent().map(move |v| v.mapped(mul, add))
        }
        "map_with_index" => parent().map_with_index(|i, v| List(vec![Integer(i as i64), v])),
        "random_map" => {
            let kind = json["kind"].as_str().unwrap().to_owned();
            parent().random_map(s.seed(), move |rng, v| drawn(&kind, rng, &v))
        }
        "filter" => {
            let (modulus, drop) = (s.int("mod"), s.int("drop"));
            parent().filter(move |v| v.first().rem_euclid(modulus) != drop)
        }
        "flat_map" => {
            let fan = s.int("fan");
            parent().flat_map(fan as u64, move |v| v.fanned(fan))
        }
        "batch" => parent().batch_with(s.int("size") as u64, s.yes("drop"), |vs| Ok(List(vs))),
        "shuffle" => parent().shuffle(s.seed()),
        "window_shuffle" => parent().window_shuffle(s.int("size") as u64, s.seed()),
        "slice" => parent().slice(s.optional("start"), s.optional("stop"), s.int("step")),
        "repeat" => {
            let epochs = s.optional("epochs").map(|e| e as u64);
            if s.yes("reseed") { parent().repeat(epochs) } else { parent().repeat_same(epochs) }
        }
        "seed" => parent().seed(json["seed"].as_u64().unwrap()),
        other => panic!("no stage by index is named {other}"),
    }
}

fn loader(s: &Stage) -> IterDataset<Value> {
    let shard = ShardOptions::new(s.int("shard") as u64, s.int("shards") as u64).unwrap();
    let shard = if s.yes("drop") { shard.drop_remainder() } else { shard };
    let mut sampler = IndexSampler::new(s.int("records") as u64, shard);
    if let Some(seed) = s.0["seed"].as_u64() {
        sampler = sampler.seed(seed);
    }
    if s.yes("shuffle") {
        sampler = sampler.shuffle();
    }
    if let Some(epochs) = s.0["epochs"].as_u64() {
        sampler = sampler.epochs(epochs);
    }
    let source = MapDataset::range(100, 100 + s.int("records"), 1).map(Integer);
    let draw = s.0["draw"].as_str().map(str::to_owned);
    let keep = s.0["keep"].as_array().map(|k| (k[0].as_i64().unwrap(), k[1].as_i64().unwrap()));
    let (size, drop) = (s.int("batch") as usize, s.yes("batch_drop"));
    let operations = move |records: IterDataset<jarrah_data::SampledRecord<Value>>| {
        let draw = draw.clone();
        let values = records.try_map(move |mut record| match (&draw, &mut record.rng) {
            (Some(kind), Some(rng)) => drawn(kind, rng, &record.data),
            _ => Ok(record.data),
        });
        let values = match keep {
            Some((modulus, drop)) => values.filter(move |v| v.first().rem_euclid(modulus) != drop),
            None => values,
        };
        values.batch_with(size, drop, |vs| Ok(List(vs)))
    };
    DataLoader::new(&source, &sampler, operations).unwrap().dataset()
}

fn featured(s: &Stage, parent: &IterDataset<Value>) -> IterDataset<Features> {
    let most: Vec<(String, i64)> =
        s.0["features"].as_object().unwrap().iter().map(|(k, v)| (k.clone(), v.as_i64().unwrap())).collect();
    parent.map(move |value| {
        let x = value.first().rem_euclid(1000);
        let sequence =
            |i: i64, most: i64| (x..=x + (x * 7 + 3 * i) % most).map(|t| t as i32).collect::<Vec<_>>();
        let features = most.iter().zip(0..).map(|((key, most), i)| (key.clone(), sequence(i, *most)));
        features.map(|(key, tokens)| (key, Literal::from_slice(&[tokens.len()], &tokens).unwrap())).collect()
    })
}

fn numbers<N>(json: &Json, f: impl Fn(&Json) -> Option<N>) -> BTreeMap<String, N> {
    json.as_object().unwrap().iter().map(|(key, value)| (key.clone(), f(value).unwrap())).collect()
}

fn names(json: &Json) -> BTreeSet<String> {
    json.as_array().unwrap().iter().map(|name| name.as_str().unwrap().to_owned()).collect()
}

fn pack(s: &Stage, parent: &IterDataset<Value>) -> IterDataset<Features> {
    featured(s, parent).pack(PackOptions {
        lengths: numbers(&s.0["lengths"], |n| Some(n.as_u64()? as usize)),
        bins: s.int("bins") as usize,
        strategy: if s.yes("first") { PackStrategy::FirstFit } else { PackStrategy::BestFit },
        shuffle: s.0["seed"].as_u64(),
        meta: names(&s.0["meta"]),
        alignment: numbers(&s.0["alignment"], |n| Some(n.as_u64()? as usize)),
        padding: numbers(&s.0["padding"], Json::as_f64),
        max_sequences: s.optional("max").map(|most| most as usize),
        truncate: false,
    })
}

fn split(s: &Stage, parent: &IterDataset<Value>) -> IterDataset<Features> {
    featured(s, parent).concat_then_split(SplitOptions {
        lengths: numbers(&s.0["lengths"], |n| Some(n.as_u64()? as usize)),
        meta: names(&s.0["meta"]),
        split_full: s.yes("full"),
        bos: s.optional("bos").map(|token| (BTreeSet::from(["a".to_owned()]), token)),
    })
}

fn listed(row: Features) -> Value {
    let integers = |l: &Literal| List(l.to_i128_vec().into_iter().map(|x| Integer(x as i64)).collect());
    List(row.values().map(integers).collect())
}

/// The dataset of a stage, with threads where a dataset by index is read.
pub fn in_turn(json: &Json, options: ReadOptions) -> IterDataset<Value> {
    let s = Stage(json);
    if s.is_by_index() {
        return by_index(json).to_iter_with(options);
    }
    match s.op() {
        "lanes" => {
            let lanes = cut(&json["of"], s.int("count") as u64, options);
            lanes.to_iter(options)
        }
        "loader" => loader(&s),
        "pack" => pack(&s, &in_turn(&json["of"], options)).map(listed),
        "split" => split(&s, &in_turn(&json["of"], options)).map(listed),
        "to_iter" => in_turn(&json["of"], options),
        "mix" | "zip" | "interleave" => {
            let parents: Vec<_> = s.parents().iter().map(|p| in_turn(p, options)).collect();
            match s.op() {
                "mix" => IterDataset::mix(&parents, s.weights().as_deref()),
                "zip" => IterDataset::zip(&parents, false).map(List),
                _ => IterDataset::interleave(&MapDataset::source(parents), s.int("cycle") as usize),
            }
        }
        _ => staged(&s, in_turn(&json["of"], options)),
    }
}

/// The dataset of a chain of stages that begins with one by index, cut into lanes before `to_iter`.
fn cut(json: &Json, count: u64, options: ReadOptions) -> jarrah_data::Lanes<Value> {
    fn source(json: &Json) -> &Json {
        if json["op"] == "to_iter" { &json["of"] } else { source(&json["of"]) }
    }
    fn chain(json: &Json, lane: &MapDataset<Value>, options: ReadOptions) -> IterDataset<Value> {
        match json["op"] == "to_iter" {
            true => lane.to_iter_with(options),
            false => staged(&Stage(json), chain(&json["of"], lane, options)),
        }
    }
    by_index(source(json)).lanes(count, |lane| chain(json, &lane, options))
}

/// A stage behind a dataset.
fn staged(s: &Stage, parent: IterDataset<Value>) -> IterDataset<Value> {
    match s.op() {
        "map" => {
            let (mul, add) = (s.int("mul"), s.int("add"));
            parent.map(move |v| v.mapped(mul, add))
        }
        "map_with_index" => parent.map_with_index(|i, v| List(vec![Integer(i as i64), v])),
        "random_map" => {
            let kind = s.0["kind"].as_str().unwrap().to_owned();
            parent.random_map(s.seed(), move |rng, v| drawn(&kind, rng, &v))
        }
        "filter" => {
            let (modulus, drop) = (s.int("mod"), s.int("drop"));
            parent.filter(move |v| v.first().rem_euclid(modulus) != drop)
        }
        "flat_map" => {
            let fan = s.int("fan");
            parent.flat_map(move |v| v.fanned(fan))
        }
        "batch" => parent.batch_with(s.int("size") as usize, s.yes("drop"), |vs| Ok(List(vs))),
        "window_shuffle" => parent.window_shuffle(s.int("size") as usize, s.seed()),
        "repeat" => parent.repeat(s.optional("epochs").map(|e| e as u64)),
        "limit" => parent.limit(s.int("count") as u64),
        "cache" => parent.cache(),
        "seed" => parent.seed(s.0["seed"].as_u64().unwrap()),
        other => panic!("no stage is named {other}"),
    }
}

pub fn golden() -> Json {
    match std::env::var_os("JARRAH_PIPELINES") {
        Some(path) => serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap(),
        None => serde_json::from_str(include_str!("golden/grain.json")).unwrap(),
    }
}

/// The first differing element of a pipeline.
fn difference(pipeline: &Json, options: ReadOptions) -> Option<String> {
    let expected: Vec<Value> = pipeline["elements"].as_array().unwrap().iter().map(Value::of).collect();
    let mut iterator = in_turn(&pipeline["stages"], options).iter().unwrap();
    for (i, expected) in expected.iter().enumerate() {
        match iterator.next() {
            Some(Ok(got)) if got == *expected => {}
            got => return Some(format!("element {i} is {got:?}, Grain's {expected:?}")),
        }
    }
    let more = pipeline["ended"] == true && iterator.next().is_some();
    more.then(|| format!("there are more than Grain's {} elements", expected.len()))
}

#[test]
fn grain_delivers_these_elements_in_this_order() {
    let golden = golden();
    let pipelines = golden["pipelines"].as_array().unwrap();
    assert!(pipelines.len() >= 64);
    let mut faults = Vec::new();
    for options in [ReadOptions::default(), ReadOptions { threads: 3, buffer: 10 }] {
        for (i, pipeline) in pipelines.iter().enumerate() {
            if let Some(text) = difference(pipeline, options) {
                faults.push(format!(
                    "pipeline {i}, {} threads: {text}\n  {}",
                    options.threads, pipeline["stages"]
                ));
            }
        }
    }
    assert!(faults.is_empty(), "{} of {}:\n{}", faults.len(), 2 * pipelines.len(), faults.join("\n"));
}

#[test]
fn grain_shuffles_indices_to_these_places() {
    for row in golden()["shuffles"].as_array().unwrap() {
        let [n, index, seed, expected] = [0, 1, 2, 3].map(|i| row[i].as_u64().unwrap());
        // Of 2^k + 1 elements with an even k from 16 on, Grain's order is no permutation.
        let faulty = (n - 1).is_power_of_two() && n > 1 << 16 && (n - 1).trailing_zeros() % 2 == 0;
        if !faulty {
            assert_eq!(IndexShuffle::new(n, seed as u32).apply(index), expected, "{row}");
        }
    }
}

#[test]
fn an_index_shuffle_delivers_each_index_once_for_any_length() {
    for n in (1..300).chain([511, 512, 513, 1000, 4096, 4097, 65_535, 65_536, 65_537, 65_538, 262_145]) {
        let mut seen = vec![false; n as usize];
        let shuffle = IndexShuffle::new(n, 7);
        for i in 0..n {
            assert!(
                !std::mem::replace(&mut seen[shuffle.apply(i) as usize], true),
                "of {n}, twice {}",
                shuffle.apply(i)
            );
        }
    }
    let large = IndexShuffle::new(u64::MAX, 3);
    let images: std::collections::HashSet<u64> = (0..1000).map(|i| large.apply(i)).collect();
    assert_eq!(images.len(), 1000);
}

fn draws<B: BitGenerator>(mut rng: Generator<B>) -> Result<Vec<Value>> {
    let list = |values: Vec<u64>| List(values.into_iter().map(|v| Integer(v as i64)).collect());
    let mut row: Vec<Value> = rng.integers_vec(0, 10, 5)?.into_iter().map(Integer).collect();
    row.push(Integer(rng.integers(i64::MIN, i64::MAX)?));
    row.push(Integer(rng.integers(5, 6)?));
    row.push(Integer(rng.integers(0, 1 << 32)?));
    for high in [(1 << 33) + 5, 3_000_000_000] {
        for _ in 0..3 {
            row.push(Integer(rng.integers(0, high)?));
        }
    }
    row.extend([rng.random(), rng.uniform(-2.0, 5.0), rng.normal(3.0, 0.5), rng.exponential(0.3)].map(Float));
    row.push(Float(f64::from(rng.random_f32())));
    row.extend((0..200).map(|_| Float(rng.standard_normal())));
    row.extend((0..200).map(|_| Float(rng.standard_exponential())));
    row.push(list(rng.permutation(20)));
    row.push(list(rng.permutation(9)));
    row.push(list(rng.choice_without_replacement(20_000, 500)?[..40].to_vec()));
    row.push(list(rng.choice_without_replacement(50, 50)?));
    row.push(Integer(rng.choice_weighted(&[0.1, 0.2, 0.3, 0.4])? as i64));
    row.push(Integer(rng.choice(9)? as i64));
    let many = (0..100_000).map(|_| rng.standard_normal()).collect::<Vec<_>>();
    let more = (0..100_000).map(|_| rng.standard_exponential());
    let hash = many.into_iter().chain(more).zip(1_u64..).fold(0, |h, (x, i)| h ^ x.to_bits().wrapping_mul(i));
    row.push(Integer(hash as i64));
    Ok(row)
}

#[test]
fn numpy_draws_these_numbers() {
    for golden in golden()["draws"].as_array().unwrap() {
        let seed = golden["seed"].as_u64().unwrap();
        let results = golden["results"].as_array().unwrap();
        let expected: Vec<Value> = results
            .iter()
            .map(|v| {
                v.as_u64()
                    .filter(|&v| v > i64::MAX as u64)
                    .map_or_else(|| Value::of(v), |v| Integer(v as i64))
            })
            .collect();
        let got = match golden["bits"].as_str().unwrap() {
            "Philox" => draws(Generator::new(Philox::seeded(seed))),
            _ => draws(Generator::new(Pcg64::seeded(seed))),
        };
        for (i, (got, expected)) in got.unwrap().iter().zip(&expected).enumerate() {
            assert_eq!(got, expected, "draw {i} of {} with seed {seed}", golden["bits"]);
        }
    }
}

/// Python: `list(mix([range(1000).shuffle(42), range(1000, 1200).shuffle(43)], [0.7, 0.3]))`, and so on.
#[test]
fn orders_of_records_are_those_of_grain() {
    let all =
        |order: &RecordOrder| order.dataset().unwrap().iter().unwrap().collect::<Result<Vec<i64>>>().unwrap();
    let one = RecordOrder { seed: Some(42), ..RecordOrder::of(1000) };
    let shard = RecordOrder { epochs: 2, shard: ShardOptions::new(1, 4).unwrap(), ..one.clone() };
    assert_eq!((all(&shard).len(), &all(&shard)[..6]), (500, &[591, 975, 669, 563, 208, 713][..]));
    let mixed = RecordOrder { lengths: vec![1000, 200], weights: Some(vec![0.7, 0.3]), ..one.clone() };
    assert_eq!((all(&mixed).len(), &all(&mixed)[..8]), (666, &[394, 591, 809, 1161, 524, 88, 1124, 975][..]));
    let windows = RecordOrder { window: Some(64), take: Some(6), ..one.clone() };
    assert_eq!(all(&windows), [14, 24, 38, 48, 31, 57]);
    let lines: Vec<String> = windows.lines().unwrap().iter().unwrap().collect::<Result<_>>().unwrap();
    assert_eq!(lines, ["14\n24\n38\n48\n31\n57\n"]);
    let message = |order: RecordOrder| super::input_error(order.dataset());
    assert_eq!(message(RecordOrder { seed: None, ..windows }), "a shuffle in windows needs a seed");
    assert!(message(RecordOrder { lengths: vec![], ..one.clone() }).starts_with("there is no dataset"));
    assert!(
        message(RecordOrder { lengths: vec![5, 0], ..one.clone() }).starts_with("a dataset has 0 records")
    );
    assert_eq!(message(RecordOrder { epochs: 0, ..one }), "repeat: there must be at least one epoch");
}
