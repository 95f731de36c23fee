use std::collections::HashSet;
use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use jarrah_base::{Error, Literal, MappedFile, Result, Type};
use jarrah_formats::msgpack::read_flax;
use jarrah_formats::{FileFormat, OrbaxCheckpoint, OrbaxItemKind, OrbaxLeaf, OrbaxNode, Tensors, cut};

use crate::checkpoint::Checkpoint;
use crate::layout::{orbax, safetensors};
use crate::transform::{LeafRules, Source, Transformed, View};
use crate::tree::TensorEntry;

/// The arrays and texts of a checkpoint or a file of weights, by name, whatever wrote it.
///
/// A name is the keys of a leaf with dots between them. Opening reads names and types; a value is read when that is asked for.
///
/// | given | read |
/// |---|---|
/// | a checkpoint of a run, `checkpoints/step_00000100` | its tensors, checked |
/// | a checkpoint of Orbax | the leaves of its trees; the name of the item comes first where there are several |
/// | a file or a folder of safetensors, GGUF, or of `torch.save` | its tensors |
/// | a folder of `torch.distributed.checkpoint` | its tensors, put together from their chunks; [`others`](Self::others) names what is none |
/// | a file `.msgpack` | the arrays that `flax.serialization` wrote |
///
/// ```
/// use jarrah_base::Literal;
/// use jarrah_checkpoint::StoredTree;
/// use jarrah_formats::{Tensor, save_file};
/// # let dir = tempfile::tempdir().unwrap();
/// let path = dir.path().join("w.safetensors");
/// let w = Literal::from_slice(&[2], &[1.0f32, 2.0])?;
/// save_file(&path, &[Tensor::of("layer.w", &w)], &Default::default())?;
/// let tree = StoredTree::open(&path)?;
/// assert_eq!(tree.leaves()[0].to_string(), "layer.w f32[2]");
/// assert_eq!(tree.get("layer.w")?.literal()?, w);
/// # Ok::<(), jarrah_base::Error>(())
/// ```
#[derive(Debug)]
pub struct StoredTree {
    pub(super) path: PathBuf,
    format: StoredFormat,
    pub(super) leaves: Vec<StoredLeaf>,
    others: Vec<String>,
    dropped: Vec<String>,
    unused: Vec<usize>,
    /// The structure of the one tree of Orbax that the leaves are, if they are one.
    pub(super) root: Option<OrbaxNode>,
    /// The items of a checkpoint that are no trees.
    items: Vec<String>,
}

/// The format of a [`StoredTree`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StoredFormat {
    /// A checkpoint of a run of this program.
    Run,
    /// A checkpoint of Orbax, by the version of its interface.
    Orbax(u8),
    /// Files of weights.
    Tensors(FileFormat),
    /// A file of `flax.serialization`.
    Flax,
}

/// An array or a text of a [`StoredTree`].
#[derive(Clone)]
pub struct StoredLeaf {
    pub(super) name: String,
    pub(super) keys: Vec<String>,
    pub(super) ty: Option<Type>,
    place: Place,
}

/// Where the value of a leaf lies.
#[derive(Clone)]
enum Place {
    /// The item and the tensor.
    Run(Arc<Checkpoint>, String, TensorEntry),
    Orbax(Box<OrbaxLeaf>),
    Tensors(Arc<Tensors>, String),
    Memory(Literal),
    /// Made of other leaves.
    View(View, Arc<[StoredLeaf]>),
}

impl StoredTree {
    /// Reads the names and types of the arrays at `path`.
    ///
    /// # Errors
    /// Nothing there is a checkpoint or a file of weights, it is damaged, or it is still being written (`Input`); it cannot be read (`Environment`).
    pub fn open(path: impl AsRef<Path>) -> Result<StoredTree> {
        let path = path.as_ref();
        let (format, opened) = if !path.exists() {
            return Err(Error::input(format!("there is no {}", path.display())).op("checkpoint"));
        } else if !path.is_file() && !path.is_dir() {
            return Err(Error::input(format!("{} is no file and no folder", path.display())).op("checkpoint"));
        } else if StoredFormat::is_run(path) {
            (StoredFormat::Run, of_run(Checkpoint::open(path)?)?)
        } else if path.extension().is_some_and(|extension| extension == "msgpack") {
            (StoredFormat::Flax, Opened { leaves: of_flax(path)?, ..Opened::default() })
        } else if path.is_dir() && OrbaxCheckpoint::is_at(path) {
            let checkpoint = OrbaxCheckpoint::open(path)?;
            (StoredFormat::Orbax(checkpoint.version()), of_orbax(&checkpoint)?)
        } else {
            match Tensors::open(path) {
                Ok(tensors) => (StoredFormat::Tensors(tensors.format()), of_tensors(tensors)),
                // Weights are there, and are damaged.
                Err(error) if path.is_dir() && Tensors::find_in(path).is_err() => return Err(error),
                // A folder without a description may be an old checkpoint of Orbax; if it is none, its error says what a folder of steps has.
                Err(error) => match OrbaxCheckpoint::open(path) {
                    Ok(checkpoint) => (StoredFormat::Orbax(checkpoint.version()), of_orbax(&checkpoint)?),
                    Err(other) if path.is_dir() => return Err(other),
                    Err(_) => return Err(error),
                },
            }
        };
        let Opened { leaves, others, root, items } = opened;
        let mut names = HashSet::new();
        if let Some(twice) = leaves.iter().find(|leaf| !names.insert(leaf.name.as_str())) {
            return Err(Error::input(format!("{} has two leaves called {}", path.display(), twice.name))
                .op("checkpoint")
                .help(
                    "a key has a dot, or is there twice: neither leaf can be told from the other by its name",
                ));
        }
        Ok(StoredTree {
            path: path.to_owned(),
            format,
            leaves,
            others,
            dropped: Vec::new(),
            unused: Vec::new(),
            root,
            items,
        })
    }

    /// The tree with other leaves, which rules make of these: none is read before its value is asked for.
    ///
    /// # Errors
    /// A leaf that a rule needs is missing, its type does not allow a step, or two leaves get one name (`Input`).
    pub fn transformed(&self, rules: &LeafRules) -> Result<StoredTree> {
        let types: Vec<(String, Option<Type>)> =
            self.leaves.iter().map(|leaf| (leaf.name.clone(), leaf.ty)).collect();
        let (made, dropped) =
            rules.apply(&types).map_err(|e| e.context(format!("in {}", self.path.display())))?;
        let all: Arc<[StoredLeaf]> = self.leaves.clone().into();
        let leaf = |Transformed { name, content }: Transformed| {
            let (ty, place, keys) = match content {
                // A key that has a dot is one key still, where no rule changes the name.
                Source::Leaf(number) => {
                    let leaf = &all[number];
                    (leaf.ty, leaf.place.clone(), Some(leaf.keys.clone()).filter(|_| leaf.name == name))
                }
                Source::View(view) => (Some(view.ty()), Place::View(view, all.clone()), None),
            };
            let keys = keys.unwrap_or_else(|| name.split('.').map(str::to_owned).collect());
            StoredLeaf { name, keys, ty, place }
        };
        Ok(StoredTree {
            path: self.path.clone(),
            format: self.format,
            leaves: made.into_iter().map(leaf).collect(),
            others: self.others.clone(),
            dropped: dropped.into_iter().map(|number| self.leaves[number].name.clone()).collect(),
            unused: rules.unused(&types),
            root: self.root.clone().filter(|_| rules.is_empty()),
            items: self.items.clone(),
        })
    }

    /// The file or folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The format.
    pub fn format(&self) -> StoredFormat {
        self.format
    }

    /// The leaves, in the order in which they are stored.
    pub fn leaves(&self) -> &[StoredLeaf] {
        &self.leaves
    }

    /// The names of the values of a distributed checkpoint of PyTorch that are no arrays, such as the numbers of an optimizer: they are not read.
    pub fn others(&self) -> &[String] {
        &self.others
    }

    /// The names of the leaves that rules dropped.
    pub fn dropped(&self) -> &[String] {
        &self.dropped
    }

    /// The lines of the rules that fit no leaf which an earlier rule has left.
    pub fn unused_rules(&self) -> &[usize] {
        &self.unused
    }

    /// The items of a checkpoint that are no trees, such as JSON: they are no leaves.
    pub fn items(&self) -> &[String] {
        &self.items
    }

    /// The leaf called `name`.
    ///
    /// # Errors
    /// There is none: the names that end as it does are told (`Input`).
    pub fn get(&self, name: &str) -> Result<&StoredLeaf> {
        self.leaves.iter().find(|leaf| leaf.name == name).ok_or_else(|| {
            let last = name.rsplit('.').next().unwrap_or(name);
            let like =
                self.leaves.iter().map(|leaf| leaf.name.as_str()).filter(|other| other.ends_with(last));
            let like: Vec<&str> = like.take(5).collect();
            let error =
                Error::input(format!("{} has no leaf {name:?}", self.path.display())).op("checkpoint");
            match like.as_slice() {
                [] => error.help("`jarrah checkpoint show` lists the leaves"),
                like => error.help(format!("it has {}", like.join(", "))),
            }
        })
    }
}

impl StoredFormat {
    /// Whether the folder `path` looks like a checkpoint of a run of this program, which one of Orbax may be, too.
    ///
    /// ```
    /// assert!(!jarrah_checkpoint::StoredFormat::is_run("/nowhere"));
    /// ```
    pub fn is_run(path: impl AsRef<Path>) -> bool {
        let path = path.as_ref();
        [safetensors::MANIFEST, orbax::MANIFEST].iter().any(|manifest| path.join(manifest).is_file())
    }
}

/// The leaves of a checkpoint or a file, and what is none.
#[derive(Default)]
struct Opened {
    leaves: Vec<StoredLeaf>,
    others: Vec<String>,
    root: Option<OrbaxNode>,
    items: Vec<String>,
}

fn of_run(checkpoint: Checkpoint) -> Result<Opened> {
    let checkpoint = Arc::new(checkpoint);
    let trees: Vec<String> = checkpoint.trees().map(str::to_owned).collect();
    let items = checkpoint.items().map(str::to_owned).filter(|item| !trees.contains(item)).collect();
    let mut leaves = Vec::new();
    for item in &trees {
        for entry in checkpoint.tree(item)?.tensors() {
            let first = Some(item.clone()).filter(|_| trees.len() > 1);
            let keys: Vec<String> =
                first.into_iter().chain(entry.name.split('/').map(str::to_owned)).collect();
            let place = Place::Run(checkpoint.clone(), item.clone(), entry.clone());
            leaves.push(StoredLeaf { name: keys.join("."), keys, ty: Some(entry.ty), place });
        }
    }
    Ok(Opened { leaves, items, ..Opened::default() })
}

fn of_orbax(checkpoint: &OrbaxCheckpoint) -> Result<Opened> {
    let trees = checkpoint.items().iter().filter(|item| item.kind == OrbaxItemKind::Tree);
    let trees: Vec<_> = trees.collect();
    let (mut leaves, mut root) = (Vec::new(), None);
    for item in &trees {
        let tree = checkpoint.tree(&item.name)?;
        root = Some(tree.root().clone()).filter(|_| trees.len() == 1);
        for leaf in tree.leaves() {
            let item = item.name.split('/').map(str::to_owned).filter(|_| trees.len() > 1);
            let own = leaf.keys().iter().map(ToString::to_string);
            let mut keys: Vec<String> = item.chain(own).collect();
            if leaf.keys().is_empty() {
                // A checkpoint that is one array.
                keys.push(leaf.name().to_owned());
            }
            let place = Place::Orbax(Box::new(leaf.clone()));
            leaves.push(StoredLeaf { name: keys.join("."), keys, ty: leaf.ty().ok(), place });
        }
    }
    let items = checkpoint.items().iter().filter(|item| item.kind != OrbaxItemKind::Tree);
    let items = items.map(|item| item.name.clone()).collect();
    Ok(Opened { leaves, root, items, ..Opened::default() })
}

fn of_tensors(tensors: Tensors) -> Opened {
    let others = tensors.others().to_vec();
    let tensors = Arc::new(tensors);
    let leaf = |tensor: jarrah_formats::Tensor<'_>| StoredLeaf {
        name: tensor.name().to_owned(),
        keys: tensor.name().split('.').map(str::to_owned).collect(),
        ty: tensor.ty().ok(),
        place: Place::Tensors(tensors.clone(), tensor.name().to_owned()),
    };
    Opened { leaves: tensors.iter().map(leaf).collect(), others, ..Opened::default() }
}

fn of_flax(path: &Path) -> Result<Vec<StoredLeaf>> {
    let file = MappedFile::open(path)?;
    let leaves = read_flax(&file).map_err(|e| e.context(format!("while reading {}", path.display())))?;
    let leaf = |(keys, literal): (Vec<String>, Literal)| StoredLeaf {
        name: keys.join("."),
        keys,
        ty: Some(literal.ty()),
        place: Place::Memory(literal),
    };
    Ok(leaves.into_iter().map(leaf).collect())
}

impl StoredLeaf {
    /// The keys with dots between them.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The keys. In files of tensors, whose names are texts, a dot divides them.
    pub fn keys(&self) -> &[String] {
        &self.keys
    }

    /// The type; none for a text, and for an array whose elements are not read here.
    pub fn ty(&self) -> Option<Type> {
        self.ty
    }

    /// The bytes of the value.
    pub fn bytes(&self) -> Option<usize> {
        self.ty?.bytes().ok()
    }

    /// The text that the leaf is.
    pub fn text(&self) -> Option<&str> {
        match &self.place {
            Place::Orbax(leaf) => leaf.text(),
            Place::Run(..) | Place::Tensors(..) | Place::Memory(_) | Place::View(..) => None,
        }
    }

    /// The leaf of Orbax that it is, unchanged.
    pub(super) fn orbax(&self) -> Option<&OrbaxLeaf> {
        match &self.place {
            Place::Orbax(leaf) => Some(leaf),
            Place::Run(..) | Place::Tensors(..) | Place::Memory(_) | Place::View(..) => None,
        }
    }

    /// The way in which the array was cut among devices, where the checkpoint says so.
    pub fn sharding(&self) -> Option<&str> {
        match &self.place {
            Place::Orbax(leaf) => leaf.sharding(),
            Place::Run(_, _, entry) => entry.sharding.as_deref(),
            Place::Tensors(..) | Place::Memory(_) | Place::View(..) => None,
        }
    }

    /// The value, which is checked where the checkpoint has checksums.
    ///
    /// # Errors
    /// The leaf is a text, or of a type that is not read here; its bytes are damaged (`Input`).
    pub fn literal(&self) -> Result<Literal> {
        match &self.place {
            Place::Run(checkpoint, item, entry) => checkpoint.tree(item)?.tensor(&entry.name),
            Place::Orbax(leaf) => leaf.literal(),
            Place::Tensors(tensors, name) => tensors.get(name)?.literal(),
            Place::Memory(literal) => Ok(literal.clone()),
            Place::View(view, _) => {
                self.region(&view.ty().extents().map(|extent| 0..extent).collect::<Vec<_>>())
            }
        }
    }
}

impl StoredLeaf {
    /// A box of the value, a range for each axis. Of a checkpoint no more is read than the shards or chunks that have a part of it.
    ///
    /// # Errors
    /// As [`literal`](Self::literal); the box does not lie in the value (`Program`).
    pub fn region(&self, region: &[Range<usize>]) -> Result<Literal> {
        match &self.place {
            Place::Run(checkpoint, item, entry) => checkpoint.tree(item)?.region(&entry.name, region),
            Place::Orbax(leaf) => leaf.region(region),
            Place::Tensors(tensors, name) => tensors.get(name)?.region(region),
            Place::Memory(literal) => cut(literal, region),
            Place::View(view, leaves) => {
                view.checked_region(&self.name, region, &|number, region| leaves[number].region(region))
            }
        }
    }
}

impl fmt::Display for StoredLeaf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.place, self.ty) {
            (Place::Orbax(leaf), None) => write!(f, "{leaf}"),
            (_, Some(ty)) => write!(f, "{} {ty}", self.name),
            (Place::Tensors(tensors, name), None) => match tensors.find(name) {
                Some(tensor) => write!(f, "{tensor}"),
                None => f.write_str(name),
            },
            (Place::Run(..) | Place::Memory(_) | Place::View(..), None) => f.write_str(&self.name),
        }
    }
}

impl fmt::Debug for StoredLeaf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StoredLeaf({self})")
    }
}

impl fmt::Display for StoredFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoredFormat::Run => f.write_str("checkpoint of a run"),
            StoredFormat::Orbax(version) => write!(f, "checkpoint of Orbax, version {version}"),
            StoredFormat::Tensors(FileFormat::Safetensors) => f.write_str("safetensors"),
            StoredFormat::Tensors(FileFormat::Pickle) => f.write_str("file of torch.save"),
            StoredFormat::Tensors(FileFormat::Gguf) => f.write_str("GGUF"),
            StoredFormat::Tensors(FileFormat::TorchDistributed) => {
                f.write_str("checkpoint of torch.distributed.checkpoint")
            }
            StoredFormat::Tensors(FileFormat::Memory) => f.write_str("values in memory"),
            StoredFormat::Flax => f.write_str("file of flax.serialization"),
        }
    }
}
