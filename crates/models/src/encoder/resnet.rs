//! ResNet.

use jarrah_array::lax::Padding;
use jarrah_array::random::Key;
use jarrah_array::{Array, Error, Result, Tree};
use jarrah_nn::{Activation, BatchNorm, Context, Conv, ConvPadding, Linear, Module, Pool};
use serde_json::Value;

use super::{class, labels};
use crate::Architecture;
use crate::decoder::linear;
use crate::family::{Hf, Join, MOST_LAYERS, Row};

/// The shape of a [`ResNet`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ResNetConfig {
    /// The channels of a picture.
    pub channels: usize,
    /// The features of the first convolution.
    pub stem: usize,
    /// The features and the number of blocks of each stage.
    pub stages: Vec<(usize, usize)>,
    /// Whether blocks narrow the features between, by a factor of four.
    pub bottleneck: bool,
    /// Whether the first stage halves the picture too.
    pub halve_first: bool,
    /// Whether the first convolution of a bottleneck halves, not the second.
    pub halve_early: bool,
    /// The activation behind the first convolution and behind the sum of each block.
    pub activation: Activation,
    /// The number of classes.
    pub classes: Option<usize>,
}

/// A residual network of convolutions with normalization by batches.
///
/// ```text
/// x = pool(act(norm(conv(pixels))))
/// x = act(layers(x) + shortcut(x))               for each block, whose layers have ReLU between them
/// logits = mean(x) W + b
/// ```
///
/// As a [`Module`] it maps pictures, floats `[B,height,width,channels]`, to logits `[B,classes]`, or, without a classifier, to the features
/// `[B,height,width,features]` of the last stage. In a pass that trains, running statistics are left in the pass, as [`BatchNorm`] leaves them.
///
/// ```
/// use jarrah_array::{Array, random::Key};
/// use jarrah_models::{PretrainedModel, ResNet};
/// use jarrah_nn::{Context, Module, update};
/// let json = serde_json::json!({
///     "model_type": "resnet", "embedding_size": 4, "hidden_sizes": [8, 8], "depths": [1, 2], "num_labels": 3,
///     "architectures": ["ResNetForImageClassification"]});
/// let net = PretrainedModel::<ResNet>::random(json, &Key::new(0))?.model;
/// let mut cx = Context::train(&Key::new(1));
/// assert_eq!(net.call(&Array::ones(&[2, 32, 32, 3]), &mut cx).shape(), [2, 3]);
/// let trained = update(&net, &cx.updates());
/// assert_ne!(trained.stem.norm.mean.get().to_vec::<f32>()?, net.stem.norm.mean.get().to_vec::<f32>()?);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: He et al., Deep residual learning for image recognition (2016).
#[derive(Clone, Debug, Tree)]
pub struct ResNet {
    /// The first convolution, of windows of 7.
    pub stem: ConvNorm,
    /// Blocks by stage.
    pub stages: Vec<Vec<ResNetBlock>>,
    /// The activation.
    pub activation: Activation,
    /// `[features, classes]`.
    pub classifier: Option<Linear>,
}

/// A convolution without a bias, and its normalization.
#[derive(Clone, Debug, Tree)]
pub struct ConvNorm {
    /// The convolution.
    pub conv: Conv,
    /// The normalization.
    pub norm: BatchNorm,
}

/// A block of a [`ResNet`]: convolutions around which the argument is led.
#[derive(Clone, Debug, Tree)]
pub struct ResNetBlock {
    /// The convolutions, with ReLU behind each but the last, whatever the activation of the model is.
    pub layers: Vec<ConvNorm>,
    /// The convolution on the way around, where the shape changes.
    pub shortcut: Option<ConvNorm>,
    /// The activation behind the sum.
    pub activation: Activation,
}

impl ConvNorm {
    fn new(key: &Key, inputs: usize, outputs: usize, window: usize, stride: usize) -> Self {
        let side = (window / 2) as i64;
        let mut norm = BatchNorm::new(outputs);
        norm.momentum = 0.9.into();
        ConvNorm {
            conv: Conv::new(key, inputs, outputs, &[window; 2])
                .without_bias()
                .with_strides(&[stride; 2])
                .with_padding(ConvPadding::Pairs(vec![(side, side); 2])),
            norm,
        }
    }
}

impl Module for ConvNorm {
    #[track_caller]
    fn call(&self, x: &Array, cx: &mut Context) -> Array {
        let x = cx.call("conv", &self.conv, x);
        cx.call("norm", &self.norm, &x)
    }
}

impl ResNetBlock {
    fn new(config: &ResNetConfig, key: &Key, inputs: usize, outputs: usize, stride: usize) -> Self {
        let keys = key.split(4);
        let narrow = (outputs / 4).max(1);
        let layers = match config.bottleneck {
            true => {
                let (early, late) = if config.halve_early { (stride, 1) } else { (1, stride) };
                vec![
                    ConvNorm::new(&keys[0], inputs, narrow, 1, early),
                    ConvNorm::new(&keys[1], narrow, narrow, 3, late),
                    ConvNorm::new(&keys[2], narrow, outputs, 1, 1),
                ]
            }
            false => vec![
                ConvNorm::new(&keys[0], inputs, outputs, 3, stride),
                ConvNorm::new(&keys[1], outputs, outputs, 3, 1),
            ],
        };
        let changes = inputs != outputs || stride != 1;
        ResNetBlock {
            layers,
            shortcut: changes.then(|| ConvNorm::new(&keys[3], inputs, outputs, 1, stride)),
            activation: config.activation,
        }
    }
}

impl Module for ResNetBlock {
    #[track_caller]
    fn call(&self, x: &Array, cx: &mut Context) -> Array {
        let mut y = x.clone();
        for (i, layer) in self.layers.iter().enumerate() {
            if i > 0 {
                y = Activation::RELU.of(&y);
            }
            y = cx.call(&format!("layers.{i}"), layer, &y);
        }
        let around = self.shortcut.as_ref().map_or_else(|| x.clone(), |way| cx.call("shortcut", way, x));
        self.activation.of(&(y + around))
    }
}

impl ResNet {
    /// The features `[B,height,width,features]` of the last stage.
    #[track_caller]
    pub fn hidden(&self, pixels: &Array, cx: &mut Context) -> Array {
        let x = self.activation.of(&cx.call("stem", &self.stem, pixels));
        let pool = Pool::max(&[3, 3]).with_strides(&[2, 2]).with_padding(Padding::Pairs(vec![(1, 1); 2]));
        let mut x = pool.forward(&x);
        for (s, stage) in self.stages.iter().enumerate() {
            for (b, block) in stage.iter().enumerate() {
                x = cx.call(&format!("stages.{s}.{b}"), block, &x);
            }
        }
        x
    }
}

impl Module for ResNet {
    #[track_caller]
    fn call(&self, pixels: &Array, cx: &mut Context) -> Array {
        let x = self.hidden(pixels, cx);
        match &self.classifier {
            Some(classifier) => cx.call("classifier", classifier, &x.mean(&[1, 2][..])),
            None => x,
        }
    }
}

impl Architecture for ResNet {
    type Config = ResNetConfig;
    const CARRIED: &'static [&'static str] = &["num_batches_tracked"];

    fn config(json: &Value) -> Result<ResNetConfig> {
        let c = Hf(json);
        c.is_kind("resnet")?;
        let list = |name: &str, otherwise: &[usize]| -> Result<Vec<usize>> {
            let Some(found) = c.find(name) else { return Ok(otherwise.to_vec()) };
            let counts = found.as_array().map(|all| all.iter().map(|x| x.as_u64().map(|x| x as usize)));
            let counts: Option<Vec<usize>> = counts.and_then(Iterator::collect);
            let good = |all: &Vec<usize>| !all.is_empty() && all.iter().all(|x| (1..1 << 20).contains(x));
            counts.filter(good).ok_or_else(|| Error::input(format!("`{name}` of config.json is {found}")))
        };
        let widths = list("hidden_sizes", &[256, 512, 1024, 2048])?;
        let depths = list("depths", &[3, 4, 6, 3])?;
        if widths.len() != depths.len() || depths.iter().sum::<usize>() > MOST_LAYERS {
            return Err(Error::input(format!(
                "config.json has {} `hidden_sizes` and `depths` {depths:?}",
                widths.len()
            )));
        }
        let (channels, stem) = (c.count_or("num_channels", 3)?, c.count_or("embedding_size", 64)?);
        if channels == 0 || stem == 0 {
            return Err(Error::input(
                "`num_channels` and `embedding_size` of config.json must be at least 1",
            ));
        }
        let bottleneck = match c.find("layer_type").and_then(Value::as_str) {
            None | Some("bottleneck") => true,
            Some("basic") => false,
            Some(other) => {
                let error = Error::input(format!("`layer_type` of config.json is {other}"));
                return Err(error.help("known are bottleneck and basic"));
            }
        };
        let classified = class(&c) == "ResNetForImageClassification";
        Ok(ResNetConfig {
            channels,
            stem,
            stages: widths.into_iter().zip(depths).collect(),
            bottleneck,
            halve_first: c.flag("downsample_in_first_stage", false)?,
            halve_early: c.flag("downsample_in_bottleneck", false)?,
            activation: c.activation("hidden_act", Activation::RELU)?,
            classes: if classified { Some(labels(&c)?) } else { None },
        })
    }

    fn build(config: &ResNetConfig, key: &Key) -> Self {
        let keys = key.split(config.stages.len() + 2);
        let mut inputs = config.stem;
        let mut stages = Vec::new();
        for (s, &(width, depth)) in config.stages.iter().enumerate() {
            let halves = s > 0 || config.halve_first;
            let of_stage = keys[s + 2].split(depth);
            let mut blocks = Vec::with_capacity(depth);
            for (b, key) in of_stage.iter().enumerate() {
                let stride = if b == 0 && halves { 2 } else { 1 };
                blocks.push(ResNetBlock::new(config, key, inputs, width, stride));
                inputs = width;
            }
            stages.push(blocks);
        }
        ResNet {
            stem: ConvNorm::new(&keys[0], config.channels, config.stem, 7, 2),
            stages,
            activation: config.activation,
            classifier: config.classes.map(|classes| linear(&keys[1], inputs, classes, true)),
        }
    }

    fn rows(_: &Value) -> Result<Vec<Row>> {
        Ok(NAMES.to_vec())
    }
}

/// The names of ResNet's files.
const NAMES: &[Row] = &[
    Row::joined("resnet.embedder.embedder.convolution.weight", &["stem.conv.weight"], Join::Filters),
    Row::same("resnet.embedder.embedder.normalization.weight", "stem.norm.scale"),
    Row::same("resnet.embedder.embedder.normalization.bias", "stem.norm.bias"),
    Row::same("resnet.embedder.embedder.normalization.running_mean", "stem.norm.mean"),
    Row::same("resnet.embedder.embedder.normalization.running_var", "stem.norm.var"),
    Row::joined(
        "resnet.encoder.stages.{}.layers.{}.layer.{}.convolution.weight",
        &["stages.{}.{}.layers.{}.conv.weight"],
        Join::Filters,
    ),
    Row::same(
        "resnet.encoder.stages.{}.layers.{}.layer.{}.normalization.weight",
        "stages.{}.{}.layers.{}.norm.scale",
    ),
    Row::same(
        "resnet.encoder.stages.{}.layers.{}.layer.{}.normalization.bias",
        "stages.{}.{}.layers.{}.norm.bias",
    ),
    Row::same(
        "resnet.encoder.stages.{}.layers.{}.layer.{}.normalization.running_mean",
        "stages.{}.{}.layers.{}.norm.mean",
    ),
    Row::same(
        "resnet.encoder.stages.{}.layers.{}.layer.{}.normalization.running_var",
        "stages.{}.{}.layers.{}.norm.var",
    ),
    Row::joined(
        "resnet.encoder.stages.{}.layers.{}.shortcut.convolution.weight",
        &["stages.{}.{}.shortcut.conv.weight"],
        Join::Filters,
    ),
    Row::same(
        "resnet.encoder.stages.{}.layers.{}.shortcut.normalization.weight",
        "stages.{}.{}.shortcut.norm.scale",
    ),
    Row::same(
        "resnet.encoder.stages.{}.layers.{}.shortcut.normalization.bias",
        "stages.{}.{}.shortcut.norm.bias",
    ),
    Row::same(
        "resnet.encoder.stages.{}.layers.{}.shortcut.normalization.running_mean",
        "stages.{}.{}.shortcut.norm.mean",
    ),
    Row::same(
        "resnet.encoder.stages.{}.layers.{}.shortcut.normalization.running_var",
        "stages.{}.{}.shortcut.norm.var",
    ),
    Row::same("classifier.1.weight", "classifier.weight"),
    Row::same("classifier.1.bias", "classifier.bias"),
];
