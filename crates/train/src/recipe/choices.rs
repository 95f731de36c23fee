//! Keys that take one of a few names.

use jarrah_array::CheckpointPolicy;
use jarrah_base::DType;

/// `a, b or c`: the names of choices as errors list them.
pub(crate) fn one_of(names: &[&str]) -> String {
    match names {
        [before @ .., last] if !before.is_empty() => format!("{} or {last}", before.join(", ")),
        _ => names.concat(),
    }
}

/// Declares a key's type: each choice with its name and doc.
macro_rules! choices {
    ($(#[$about:meta])+ pub enum $name:ident { $($(#[$doc:meta])+ $choice:ident = $text:literal,)+ }) => {
        $(#[$about])+
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum $name {
            $($(#[$doc])+ $choice,)+
        }

        impl $name {
            const ALL: &'static [($name, &'static str)] = &[$(($name::$choice, $text)),+];

            fn named(text: &str) -> Option<Self> {
                Self::ALL.iter().find(|(_, name)| *name == text).map(|(choice, _)| *choice)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(match self { $($name::$choice => $text),+ })
            }
        }

        impl $crate::recipe::KeyValue for $name {
            fn names() -> [String; 2] {
                let names: Vec<&str> = Self::ALL.iter().map(|(_, name)| *name).collect();
                [(); 2].map(|()| $crate::recipe::choices::one_of(&names))
            }

            fn read(value: &toml::de::DeValue, raw: Option<&str>) -> Option<Self> {
                let text = value.as_str().or(raw)?;
                // Types of numbers go by NumPy's names, too.
                Self::named(text).or_else(|| Self::named(&text.parse::<jarrah_base::DType>().ok()?.to_string()))
            }

            fn show(&self) -> Option<String> {
                String::show(&self.to_string())
            }
        }
    };
}

pub(crate) use choices;

choices! {
    /// The task of a run.
    pub enum Task {
        /// Learning text.
        Pretrain = "pretrain",
        /// Learning the answers of chats.
        Sft = "sft",
    }
}

choices! {
    /// The dtype in which products and attention are computed.
    pub enum ComputePrecision {
        /// As the weights.
        F32 = "f32",
        /// Eight bits of fraction, the range of `f32`.
        BF16 = "bf16",
        /// Eleven bits of fraction, a range that needs a loss scale.
        F16 = "f16",
    }
}

choices! {
    /// The dtype of weights.
    pub enum WeightType {
        /// As they are computed.
        F32 = "f32",
        /// In half the memory, rounded after every step; the optimizer's state too.
        BF16 = "bf16",
    }
}

choices! {
    /// How the learning rate falls after the warm-up.
    pub enum Decay {
        /// Along half a cosine.
        Cosine = "cosine",
        /// Along a line.
        Linear = "linear",
        /// Not, and in the last tenth of all steps along a line (warm-up, stable, decay).
        Wsd = "wsd",
        /// Not at all.
        Constant = "constant",
    }
}

choices! {
    /// The activations that the forward pass keeps for the backward pass.
    pub enum RematChoice {
        /// Everything that it needs.
        None = "none",
        /// Results of products with weights; attention is computed again.
        Minimal = "minimal",
        /// Results of all products.
        MinimalWithContext = "minimal_with_context",
        /// Nothing but what goes into the layer.
        Full = "full",
    }
}

choices! {
    /// The answer to a step whose loss or gradient is not a number.
    pub enum OnNan {
        /// The run ends with an error that says where it was first.
        Abort = "abort",
        /// The step changes nothing.
        Skip = "skip",
    }
}

impl ComputePrecision {
    /// The type that takes the place of `f32`, if one does.
    pub fn narrow(self) -> Option<DType> {
        match self {
            ComputePrecision::F32 => None,
            ComputePrecision::BF16 => Some(DType::BF16),
            ComputePrecision::F16 => Some(DType::F16),
        }
    }
}

impl WeightType {
    /// The type.
    pub fn dtype(self) -> DType {
        match self {
            WeightType::F32 => DType::F32,
            WeightType::BF16 => DType::BF16,
        }
    }
}

impl RematChoice {
    /// The policy of what is kept for the backward pass; none: everything.
    pub fn policy(self) -> Option<CheckpointPolicy> {
        match self {
            RematChoice::None => None,
            RematChoice::Minimal => Some(CheckpointPolicy::dots_with_no_batch_dims_saveable()),
            RematChoice::MinimalWithContext => Some(CheckpointPolicy::dots_saveable()),
            RematChoice::Full => Some(CheckpointPolicy::nothing_saveable()),
        }
    }
}
