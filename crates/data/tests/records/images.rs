use std::fs;
use std::path::{Path, PathBuf};

use jarrah_base::ErrorKind;
use jarrah_data::{
    ImageFolder, OnDamage, RandomAccess, RecordConversion, RecordFormat, TfExample, TfFeature, decode_image,
};

use super::{folder, golden_bytes, golden_folder};

/// Compares an image with the pixels that Pillow decodes: behind its height and its width.
fn assert_shows(image: &[u8], rgb: &[u8], name: &str) {
    let number = |at: usize| u32::from_le_bytes(rgb[at..at + 4].try_into().unwrap()) as usize;
    let decoded = decode_image(image, 3).unwrap();
    assert_eq!(decoded.dims(), [number(0), number(4), 3], "{name}");
    let far: Vec<u8> = decoded.bytes().iter().zip(&rgb[8..]).map(|(a, b)| a.abs_diff(*b)).collect();
    let (most, sum) = (far.iter().max().unwrap(), far.iter().map(|&d| f64::from(d)).sum::<f64>());
    // Decoders of JPEG round differently, and fill halved colors up differently.
    let (most_allowed, mean_allowed) = if name.ends_with(".png") { (0, 0.0) } else { (40, 1.5) };
    assert!(
        *most <= most_allowed && sum / far.len() as f64 <= mean_allowed,
        "{name}: {most}, {}",
        sum / far.len() as f64
    );
}

fn names() -> Vec<String> {
    let files = fs::read_dir(golden_folder()).unwrap();
    let mut names: Vec<String> = files
        .filter_map(|file| {
            Some(file.unwrap().file_name().into_string().ok()?.strip_suffix(".rgb.gz")?.to_owned())
        })
        .collect();
    names.sort();
    assert_eq!(names.len(), 10);
    names
}

#[test]
fn images_of_pillow_are_decoded() {
    for name in names() {
        assert_shows(&golden_bytes(&name), &golden_bytes(&format!("{name}.rgb")), &name);
    }
}

/// See `files_of_other_packages_are_read_and_written_anew`.
#[test]
fn images_of_other_packages_are_decoded() {
    let Some(folder) = std::env::var_os("JARRAH_RECORDS").map(|folder| Path::new(&folder).join("images"))
    else {
        return;
    };
    let mut count = 0;
    for file in fs::read_dir(&folder).unwrap() {
        let rgb: PathBuf = file.unwrap().path();
        let Some(image) = rgb.to_str().unwrap().strip_suffix(".rgb") else { continue };
        assert_shows(&fs::read(image).unwrap(), &fs::read(&rgb).unwrap(), image);
        count += 1;
    }
    assert_eq!(count, 20);
}

#[test]
fn channels_are_those_that_are_asked_for() {
    let name =
        names().into_iter().find(|name| name.ends_with("RGBA.png") || name.ends_with("LA.png")).unwrap();
    let image = golden_bytes(&name);
    let pixels = |channels: usize| decode_image(&image, channels).unwrap();
    let (own, gray, rgb, rgba) = (pixels(0), pixels(1), pixels(3), pixels(4));
    let stored = if name.contains("RGBA") { 4 } else { 2 };
    let channels = [&own, &gray, &rgb, &rgba].map(|image| image.dims()[2]);
    assert_eq!(channels, [stored, 1, 3, 4]);
    for (i, pixel) in rgba.bytes().chunks(4).enumerate() {
        assert_eq!(pixel[..3], rgb.bytes()[3 * i..3 * i + 3]);
        let [r, g, b] = [pixel[0], pixel[1], pixel[2]].map(f64::from);
        assert!((0.299 * r + 0.587 * g + 0.114 * b - f64::from(gray.bytes()[i])).abs() <= 0.51);
    }
    assert!(decode_image(&image, 2).is_err());
    for length in 0..image.len() - 12 {
        assert_eq!(decode_image(&image[..length], 3).unwrap_err().kind(), ErrorKind::Input, "{length}");
    }
}

#[test]
fn a_jpeg_that_is_cut_short_or_too_large_for_its_bytes_is_refused() {
    for name in names().iter().filter(|name| name.ends_with(".jpg")) {
        let image = golden_bytes(name);
        for length in (0..image.len() - 40).step_by(7) {
            assert_eq!(
                decode_image(&image[..length], 3).err().map(|e| e.kind()),
                Some(ErrorKind::Input),
                "{name} {length}"
            );
        }
        // The header of the frame has the height and the width.
        let frame = image.windows(2).position(|w| matches!(w, [0xff, 0xc0 | 0xc2])).unwrap();
        let mut large = image.clone();
        large[frame + 5..frame + 9].fill(0xff);
        assert!(decode_image(&large, 3).unwrap_err().message().contains("pixels in"), "{name}");
    }
}

#[test]
fn a_folder_of_images_has_a_class_for_each_folder() {
    let folder = folder();
    let names = names();
    let at = |name: &str| folder.path().join("set").join(name);
    for (class, name) in [("b", 0), ("a", 1), ("b/deep", 2), ("", 3)] {
        fs::create_dir_all(at(class)).unwrap();
        fs::write(at(class).join(&names[name]), golden_bytes(&names[name])).unwrap();
    }
    fs::write(at("a/notes.txt"), "x").unwrap();
    let files = ImageFolder::open(at("")).unwrap();
    assert_eq!((files.len(), files.verify().unwrap().len()), (4, 0));
    let classes: Vec<Option<TfFeature>> =
        (0..4).map(|i| TfExample::decode(&files.get(i).unwrap()).unwrap().features.remove("cls")).collect();
    let number = |n: i64| Some(TfFeature::Ints(vec![n]));
    assert_eq!(classes, [None, number(0), number(1), number(1)], "in the order of the paths");
    // To a WebDataset, and back to the bytes of the images.
    let tar = folder.path().join("a.tar");
    let done =
        RecordConversion::run(&[at("")], None, None, &tar, RecordFormat::WebDataset, None, OnDamage::Fail)
            .unwrap();
    assert_eq!(done.records, 4);
    let found = RecordFormat::of_file(&tar).unwrap();
    assert_eq!(found, RecordFormat::WebDataset);
    // A damaged image is found when it is looked for.
    let cut = &golden_bytes(&names[1])[..40];
    fs::write(at("a").join(&names[1]), cut).unwrap();
    let damage = files.verify().unwrap();
    assert!(damage.len() == 1 && damage[0].path.ends_with(format!("a/{}", names[1])), "{damage:?}");
    fs::create_dir(folder.path().join("empty")).unwrap();
    assert!(
        ImageFolder::open(folder.path().join("empty"))
            .err()
            .unwrap()
            .message()
            .contains("no PNG or JPEG image")
    );
}
