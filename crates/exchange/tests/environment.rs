//! The variables of launchers, in processes of their own.

use jarrah_exchange::from_env;

use crate::processes::{Folder, command};

/// Says what the environment of this process means.
pub fn say(folder: &std::path::Path) {
    let said = match from_env() {
        Ok(None) => "alone".to_owned(),
        Ok(Some(exchange)) => format!("{} of {}", exchange.rank(), exchange.size()),
        Err(error) => error.to_string(),
    };
    std::fs::write(folder.join("said"), said).expect("written");
}

/// The answer of a process with these variables.
fn said(variables: &[(&str, &str)]) -> String {
    let folder = Folder::new(&format!("environment-{:?}", std::thread::current().id()));
    let mut process = command("environment", 0, &folder.0);
    assert!(process.envs(variables.iter().copied()).status().expect("a process").success());
    std::fs::read_to_string(folder.0.join("said")).expect("an answer")
}

#[test]
fn a_part_in_a_run_without_its_address_is_refused() {
    assert_eq!(said(&[]), "alone");
    let refused = said(&[("JARRAH_RANK", "0"), ("JARRAH_WORLD_SIZE", "2")]);
    assert!(refused.contains("JARRAH_RANK is set, but not JARRAH_EXCHANGE_ADDRESS"), "{refused}");
    assert!(refused.contains("jarrah launch"), "{refused}");
    let refused = said(&[("JARRAH_WORLD_SIZE", "2")]);
    assert!(refused.contains("JARRAH_WORLD_SIZE is set, but not"), "{refused}");
    assert!(said(&[("JARRAH_RANK", "1")]).contains("JARRAH_RANK is set, but not"));
    assert_eq!(said(&[("JARRAH_RANK", "0"), ("JARRAH_WORLD_SIZE", "1")]), "alone");
}

#[cfg(not(feature = "mpi"))]
#[test]
fn one_of_several_processes_of_mpi_is_refused_without_mpi() {
    for size in ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE"] {
        let refused = said(&[(size, "2")]);
        let words = format!("one of 2 processes of MPI, by {size}, and this program was built without MPI");
        assert!(refused.contains(&words) && refused.contains("--features mpi"), "{refused}");
        assert_eq!(said(&[(size, "1")]), "alone");
        assert_eq!(said(&[(size, "2"), ("JARRAH_WORLD_SIZE", "1")]), "alone");
    }
    // The tasks of a job of Slurm may be runs of their own.
    assert_eq!(said(&[("SLURM_NTASKS", "2"), ("SLURM_PROCID", "1")]), "alone");
}
