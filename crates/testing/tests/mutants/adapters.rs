use jarrah_formats::Adapter;
use jarrah_models::Pretrained;

use super::weights::{header_of, with_header};
use super::*;

/// The configuration of an adapter, and the header of its weights.
#[test]
fn damaged_adapters_do_no_harm() {
    alone_within("mutants::adapters::damaged_adapters_do_no_harm", Some(SPACE), || {
        const CONFIG: &str = "adapter_config.json";
        const WEIGHTS: &str = "adapter_model.safetensors";
        let folders =
            ["formats/tests/golden/lora", "formats/tests/golden/ranks", "models/tests/adapter"].map(files_of);
        let base = Pretrained::load(files_of("models/tests/families/llama"), None).unwrap();
        let place = Place::new();
        trial(1500, |number, random| {
            let folder = &folders[number % folders.len()];
            let weights = fs::read(folder.join(WEIGHTS)).unwrap();
            let mut config = json_of(folder.join(CONFIG).to_str().unwrap());
            let mut header = header_of(&weights);
            change(if random.below(3) > 0 { &mut config } else { &mut header }, random);
            place.write(CONFIG, &text_of(&config, random));
            place.write(WEIGHTS, &with_header(&weights, &text_of(&header, random)));
            let adapted = Adapter::open(place.path()).and_then(|adapter| {
                for change in adapter.low_rank().map_err(|e| e.context(place.path().display().to_string()))? {
                    change.a.literal()?;
                }
                if number % folders.len() == 2 {
                    let mut model = base.clone();
                    model.adapt(place.path())?;
                }
                Ok(())
            });
            judged(adapted, place.path().to_str().unwrap())
        });
    });
}
