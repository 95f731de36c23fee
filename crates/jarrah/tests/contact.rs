//! The command at a pipe that is closed, and at a narrow terminal.

use std::fs::File;
use std::io::Read;
use std::process::Stdio;

use crate::support::{Done, Place};

/// What a shell calls a program that wrote to a closed pipe.
const CLOSED: Option<i32> = Some(141);

fn closed_pipe() -> Stdio {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    writer.into()
}

#[test]
fn a_closed_pipe_ends_every_command_quietly() {
    let place = Place::new();
    place.good("train tiny.toml --data text --out run");
    let program = "func.func @main(%x: tensor<f32>) -> tensor<f32> { return %x : tensor<f32> }";
    std::fs::write(place.path("a.mlir"), program).unwrap();
    let commands = [
        "train --keys",
        "train tiny.toml --data text --out endless steps=1000000 log.every=1",
        "generate run",
        "checkpoint list run",
        "checkpoint verify run",
        "checkpoint hash run",
        "hlo print a.mlir",
        "hlo convert a.mlir -",
        "hlo opt --list",
        "hlo opt a.mlir --time-passes",
        "hlo profile a.mlir --gflops 1 --gbytes 1",
        "bench --list",
        "hlo check a.mlir",
    ];
    for arguments in commands {
        let mut command = place.command(arguments);
        let child = command.stdout(closed_pipe()).stderr(Stdio::piped()).spawn().unwrap();
        let done = Done::from(child.wait_with_output().unwrap());
        assert_eq!((done.code, done.err.as_str()), (CLOSED, ""), "{arguments}");
    }
    // The error stays the error.
    let mut command = place.command("train nowhere.toml");
    let status = command.stdout(Stdio::null()).stderr(closed_pipe()).status().unwrap();
    assert_eq!(status.code(), Some(2));
}

/// What `jarrah` writes to a terminal of so many columns.
#[cfg(target_os = "linux")]
fn on_terminal(place: &Place, arguments: &str, columns: u16) -> String {
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
    use rustix::termios::{Winsize, tcsetwinsize};

    let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&terminal).unwrap();
    unlockpt(&terminal).unwrap();
    tcsetwinsize(&terminal, Winsize { ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 }).unwrap();
    let name = ptsname(&terminal, Vec::new()).unwrap().into_string().unwrap();
    let other = File::options().read(true).write(true).open(name).unwrap();
    let mut command = place.command(arguments);
    command.env_remove("COLUMNS").stdout(other).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    // The command holds the other end until it is dropped.
    drop(command);
    let mut seen = Vec::new();
    // Once the other end is closed, reading is an error.
    let _ = File::from(terminal).read_to_end(&mut seen);
    assert!(child.wait().unwrap().success());
    String::from_utf8(seen).unwrap()
}

#[test]
#[cfg(target_os = "linux")]
fn lines_that_are_written_over_fit_the_terminal() {
    let place = Place::new();
    for columns in [20u16, 40, 200] {
        let arguments = format!("train tiny.toml --data text --out run{columns} sample.tokens=0");
        let seen = on_terminal(&place, &arguments, columns);
        let mut shown = 0;
        for line in seen.split("\r\n") {
            // What is left of a line is all that follows its last return; before that it was written over.
            let mut parts: Vec<&str> = line.split('\r').collect();
            parts.pop();
            for part in parts {
                assert!(part.chars().count() <= columns.into(), "{columns}: {part:?}");
                shown += usize::from(part.starts_with("step 3/12"));
            }
        }
        assert_eq!(shown, 1, "{columns}: {seen:?}");
        assert_eq!(seen.contains("step 3/12  loss "), columns >= 40);
        assert_eq!(seen.contains(" tokens/s  "), columns == 200);
    }
}
