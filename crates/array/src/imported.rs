use std::fs;
use std::path::Path;
use std::sync::Mutex;

use jarrah_base::{Error, Result, Type};
use jarrah_hlo::ops::Call;
use jarrah_hlo::{Program, ProgramRef};
use jarrah_hlo_format::artifact::{self, ExportedFunction};
use jarrah_hlo_format::ir::IrModule;
use rustc_hash::FxHashMap;

use crate::array::Array;
use crate::error::{fail, with_context};
use crate::trace::apply;

/// A program from a file, as a function of arrays: exported from JAX or PyTorch, or printed by this project.
///
/// It can be called like any function, inside and outside of `jit`, and `grad`, `vmap` and the rest apply to it.
/// Loops with a known number of steps become scans, so they differentiate in reverse; so do loops that stop by themselves
/// but count their steps up to a limit: their derivative is that of a scan of so many steps.
///
/// ```
/// use jarrah_array::{Array, Imported, grad};
///
/// let text = r#"
/// func.func @main(%x: tensor<3xf32>, %w: tensor<3xf32>) -> tensor<f32> {
///   %0 = stablehlo.multiply %x, %w : tensor<3xf32>
///   %zero = stablehlo.constant dense<0.0> : tensor<f32>
///   %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
///   return %1 : tensor<f32>
/// }
/// "#;
/// let f = Imported::from_bytes("example", text.as_bytes())?;
/// let x = Array::from_slice(&[1.0f32, 2.0, 3.0]);
/// let slope = grad(|w: &Array| f.call(&[&x, w])[0].clone())(&Array::from_slice(&[4.0f32, 5.0, 6.0]));
/// assert_eq!(slope.to_vec::<f32>()?, [1.0, 2.0, 3.0]);
/// # Ok::<(), jarrah_base::Error>(())
/// ```
pub struct Imported {
    source: Source,
    max_steps: Option<usize>,
    /// The program for each list of argument types.
    programs: Mutex<FxHashMap<Vec<Type>, ProgramRef>>,
}

/// The program with the tangents of all floats among its parameters and results.
fn tangents_of_floats(program: &Program) -> Result<Program> {
    let floats = |types: Vec<Type>| types.iter().map(|t| t.dtype().is_differentiable()).collect::<Vec<_>>();
    let (active, instantiate) = (floats(program.param_types()), floats(program.result_types()));
    Ok(jarrah_transforms::jvp(program, &active, &instantiate)?.program)
}

/// The file that programs are built from.
enum Source {
    Module(IrModule),
    Artifact(Box<ExportedFunction>),
}

impl Imported {
    /// Loads the program in a file: StableHLO text, portable bytecode or a `jax.export` artifact.
    ///
    /// # Errors
    /// The file cannot be read or holds no program; the error has line and column.
    ///
    /// ```
    /// use jarrah_array::{Array, Imported};
    /// let path = std::env::temp_dir().join(format!("example-{}.mlir", std::process::id()));
    /// std::fs::write(&path, "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }").unwrap();
    /// let f = Imported::load(&path)?;
    /// assert_eq!(f.call(&[&Array::from_slice(&[1.0f32, 2.0])])[0].to_vec::<f32>()?, [1.0, 2.0]);
    /// # std::fs::remove_file(&path).unwrap();
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    pub fn load(path: impl AsRef<Path>) -> Result<Imported> {
        let path = path.as_ref();
        let bytes = fs::read(path).map_err(|e| Error::io("read", path, &e))?;
        Imported::from_bytes(&path.display().to_string(), &bytes)
    }

    /// Loads the program from the content of the file `name`.
    ///
    /// # Errors
    /// As [`Imported::load`].
    ///
    /// ```
    /// use jarrah_array::Imported;
    /// let error = Imported::from_bytes("example", b"func.func @main(").err().unwrap();
    /// assert!(error.to_string().contains("example:1:"));
    /// ```
    pub fn from_bytes(name: &str, bytes: &[u8]) -> Result<Imported> {
        if artifact::is_artifact(bytes) {
            let source = Source::Artifact(Box::new(artifact::read(name, bytes)?));
            return Ok(Imported { source, max_steps: None, programs: Mutex::default() });
        }
        let (_, modules) = jarrah_hlo_format::read(name, bytes)?;
        let [module] = <[IrModule; 1]>::try_from(modules).map_err(|modules| {
            Error::input(format!("{name} holds {} modules, one is needed", modules.len()))
        })?;
        Ok(Imported { source: Source::Module(module), max_steps: None, programs: Mutex::default() })
    }

    /// The program of an artifact that is in memory.
    pub(crate) fn from_artifact(exported: ExportedFunction) -> Imported {
        Imported { source: Source::Artifact(Box::new(exported)), max_steps: None, programs: Mutex::default() }
    }

    /// Lets loops of unknown length run at most `max_steps` times, so that they differentiate in reverse.
    ///
    /// A loop that needs more steps has NaN as its float results.
    ///
    /// ```
    /// use jarrah_array::{Array, Imported, grad};
    /// // Halves the argument until it is at most one.
    /// let text = r#"
    /// func.func @main(%x: tensor<f32>) -> tensor<f32> {
    ///   %one = stablehlo.constant dense<1.0> : tensor<f32>
    ///   %half = stablehlo.constant dense<0.5> : tensor<f32>
    ///   %y = stablehlo.while(%it = %x) : tensor<f32>
    ///   cond {
    ///     %on = stablehlo.compare GT, %it, %one : (tensor<f32>, tensor<f32>) -> tensor<i1>
    ///     stablehlo.return %on : tensor<i1>
    ///   } do {
    ///     %next = stablehlo.multiply %it, %half : tensor<f32>
    ///     stablehlo.return %next : tensor<f32>
    ///   }
    ///   return %y : tensor<f32>
    /// }
    /// "#;
    /// let f = Imported::from_bytes("example", text.as_bytes())?.bounded(10);
    /// let slope = grad(|x: &Array| f.call(&[x])[0].clone());
    /// assert_eq!(slope(&Array::scalar(6.0)).item::<f32>()?, 0.125);
    /// assert!(f.call(&[&Array::scalar(1e6f32)])[0].isnan().item::<bool>()?);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    pub fn bounded(mut self, max_steps: usize) -> Imported {
        self.max_steps = Some(max_steps);
        self.programs = Mutex::default();
        self
    }

    /// The program for arguments of these types, which dynamic shapes take over.
    ///
    /// # Errors
    /// The program does not accept these types, or uses something unsupported.
    ///
    /// ```
    /// use jarrah_array::{Array, DType, Imported};
    /// let text = "func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> { return %x : tensor<?xf32> }";
    /// let f = Imported::from_bytes("example", text.as_bytes())?;
    /// let program = f.program(&[Array::zeros(&[3]).ty()])?;
    /// assert_eq!(program.result_types()[0].to_string(), "f32[3]");
    /// assert!(f.program(&[Array::zeros_of(program.result_types()[0].with_dtype(DType::I32)).ty()]).is_err());
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    pub fn program(&self, types: &[Type]) -> Result<ProgramRef> {
        if let Some(program) = self.lock().get(types) {
            return Ok(program.clone());
        }
        let program = match &self.source {
            Source::Module(module) => jarrah_hlo_format::import_for(module, types)?,
            Source::Artifact(exported) => exported.program(types)?,
        };
        let program: Program = jarrah_compiler::raise(&program)?;
        let program = ProgramRef::new(match self.max_steps {
            Some(max_steps) => jarrah_compiler::bound_loops(&program, max_steps)?,
            None => jarrah_compiler::derive_bounded_loops(&program, &tangents_of_floats)?,
        });
        self.lock().insert(types.to_vec(), program.clone());
        Ok(program)
    }

    /// Calls the program with these arguments.
    ///
    /// # Panics
    /// A program error, at the caller's line.
    ///
    /// ```
    /// use jarrah_array::{Array, Imported, vmap};
    /// let text = "func.func @main(%x: tensor<f32>) -> tensor<f32> { %y = stablehlo.add %x, %x : tensor<f32> return %y : tensor<f32> }";
    /// let f = Imported::from_bytes("example", text.as_bytes())?;
    /// let twice = vmap(|x: &Array| f.call(&[x]).swap_remove(0))(&Array::from_slice(&[1.0f32, 2.0]));
    /// assert_eq!(twice.to_vec::<f32>()?, [2.0, 4.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn call(&self, arguments: &[&Array]) -> Vec<Array> {
        let types: Vec<Type> = arguments.iter().map(|a| a.ty()).collect();
        match self.program(&types) {
            Ok(callee) => apply(Call { callee }, arguments),
            Err(error) => fail(with_context(error)),
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, FxHashMap<Vec<Type>, ProgramRef>> {
        self.programs.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}
