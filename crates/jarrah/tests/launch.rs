//! `jarrah launch`: the processes of a run on this machine.

use std::fs;
use std::io::Write;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::{Place, shown, terminal};

/// A program of four partitions: each scales its argument by its number, and all are summed.
const SUM: &str = r#"
module @sum attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%x: tensor<5x700xf32>) -> tensor<5x700xf32> {
    %p = stablehlo.partition_id : tensor<ui32>
    %f = stablehlo.convert %p : (tensor<ui32>) -> tensor<f32>
    %b = stablehlo.broadcast_in_dim %f, dims = [] : (tensor<f32>) -> tensor<5x700xf32>
    %m = stablehlo.multiply %x, %b : tensor<5x700xf32>
    %s = "stablehlo.all_reduce"(%m) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0,1,2,3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
    ^bb0(%a: tensor<f32>, %c: tensor<f32>):
      %t = stablehlo.add %a, %c : tensor<f32>
      stablehlo.return %t : tensor<f32>
    }) : (tensor<5x700xf32>) -> tensor<5x700xf32>
    return %s : tensor<5x700xf32>
  }
}
"#;

/// Every other collective, in a loop of three turns, in groups within and across the processes.
const EXCHANGES: &str = r#"
module @exchanges attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%x: tensor<8x6000xf32>) -> tensor<8x6000xf32> {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %three = stablehlo.constant dense<3> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %p = stablehlo.partition_id : tensor<ui32>
    %f = stablehlo.convert %p : (tensor<ui32>) -> tensor<f32>
    %b = stablehlo.broadcast_in_dim %f, dims = [] : (tensor<f32>) -> tensor<8x6000xf32>
    %y = stablehlo.add %x, %b : tensor<8x6000xf32>
    %r:2 = stablehlo.while(%i = %zero, %v = %y) : tensor<i32>, tensor<8x6000xf32>
    cond {
      %c = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %n = stablehlo.add %i, %one : tensor<i32>
      %h = "stablehlo.reduce_scatter"(%v) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0,2],[1,3]]> : tensor<2x2xi64>, scatter_dimension = 0 : i64, use_global_device_ids}> ({
      ^bb0(%a: tensor<f32>, %c: tensor<f32>):
        %t = stablehlo.add %a, %c : tensor<f32>
        stablehlo.return %t : tensor<f32>
      }) : (tensor<8x6000xf32>) -> tensor<4x6000xf32>
      %s = "stablehlo.collective_permute"(%h) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, source_target_pairs = dense<[[0,1],[1,2],[2,3],[3,0]]> : tensor<4x2xi64>}> : (tensor<4x6000xf32>) -> tensor<4x6000xf32>
      %g = "stablehlo.all_gather"(%s) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, replica_groups = dense<[[0,3],[1,2]]> : tensor<2x2xi64>, use_global_device_ids}> : (tensor<4x6000xf32>) -> tensor<8x6000xf32>
      %k = "stablehlo.all_to_all"(%g) <{channel_handle = #stablehlo.channel_handle<handle = 4, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0,1,2,3]]> : tensor<1x4xi64>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<8x6000xf32>) -> tensor<8x6000xf32>
      %sin = stablehlo.sine %k : tensor<8x6000xf32>
      stablehlo.return %n, %sin : tensor<i32>, tensor<8x6000xf32>
    }
    return %r#1 : tensor<8x6000xf32>
  }
}
"#;

/// However four devices are shared out among processes, the first process writes the bits of one process.
#[test]
fn a_program_gives_the_same_bits_in_one_process_and_in_four() {
    let folder = Place::new();
    for (name, program) in [("sum", SUM), ("exchanges", EXCHANGES)] {
        fs::write(folder.path(&format!("{name}.mlir")), program).unwrap();
        folder.good(&format!("hlo run {name}.mlir --random 3 --devices 4 --outputs one.safetensors"));
        let one = fs::read(folder.path("one.safetensors")).unwrap();
        for processes in [1, 2, 4] {
            let run = format!("hlo run {name}.mlir --random 3 --devices 4 --outputs several.safetensors");
            folder.good(&format!("launch -n {processes} -- {} {run}", env!("CARGO_BIN_EXE_jarrah")));
            let several = fs::read(folder.path("several.safetensors")).unwrap();
            assert!(one == several, "{name} in {processes} processes");
        }
    }
}

/// Processes that `mpirun` starts exchange values by MPI, and write the bits of one process.
#[cfg(feature = "mpi")]
#[test]
fn a_program_gives_the_same_bits_under_mpirun() {
    let folder = Place::new();
    for (name, program) in [("sum", SUM), ("exchanges", EXCHANGES)] {
        fs::write(folder.path(&format!("{name}.mlir")), program).unwrap();
        folder.good(&format!("hlo run {name}.mlir --random 3 --devices 4 --outputs one.safetensors"));
        let one = fs::read(folder.path("one.safetensors")).unwrap();
        for processes in ["1", "2", "4"] {
            let several = folder.path("several.safetensors");
            let mut run = Command::new("mpirun");
            run.args([
                "--allow-run-as-root",
                "--oversubscribe",
                "-n",
                processes,
                env!("CARGO_BIN_EXE_jarrah"),
            ]);
            run.args(["hlo", "run"]).arg(folder.path(&format!("{name}.mlir")));
            run.args(["--random", "3", "--devices", "4", "--outputs"]).arg(&several);
            let ran = run.output().unwrap();
            assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
            assert!(one == fs::read(&several).unwrap(), "{name} in {processes} processes");
        }
    }
}

/// Lines come with the process that printed them, and the exit status is that of the process that failed first by itself.
#[test]
fn lines_and_the_first_failure_are_those_of_a_process() {
    let folder = Place::new();
    fs::write(folder.path("say.sh"), "echo I am $JARRAH_RANK of $JARRAH_WORLD_SIZE\n").unwrap();
    let said = folder.good("launch -n 3 -- sh say.sh");
    let mut lines: Vec<&str> = said.lines().collect();
    lines.sort_unstable();
    assert_eq!(lines, ["[0] I am 0 of 3", "[1] I am 1 of 3", "[2] I am 2 of 3"]);
    assert_eq!(folder.good("launch -n 1 --plain -- sh say.sh"), "I am 0 of 1\n");

    fs::write(folder.path("fail.sh"), "[ $JARRAH_RANK = 1 ] && exit 5\nsleep 1\n").unwrap();
    let failed = folder.jarrah("launch -n 2 -- sh fail.sh");
    assert_eq!(failed.code, Some(5), "{failed:?}");
    assert!(failed.err.contains("process 1 ended with exit status: 5"), "{failed:?}");
}

/// Where nobody reads the lines any more, the processes are told as any command in a pipe is.
#[test]
fn a_launch_whose_reader_has_gone_ends() {
    use std::io::{BufRead, BufReader};
    let folder = Place::new();
    fs::write(folder.path("say.sh"), "while :; do echo x; done\n").unwrap();
    let mut launch = folder.command("launch -n 2 -- sh say.sh");
    let mut launched = launch.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(launched.stdout.take().unwrap()).lines();
    assert!(lines.next().unwrap().unwrap().ends_with(" x"));
    drop(lines);
    let begun = Instant::now();
    while launched.try_wait().unwrap().is_none() {
        if begun.elapsed() > Duration::from_secs(30) {
            launched.kill().unwrap();
            launched.wait().unwrap();
            panic!("the launch goes on without a reader");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The processes that wait for one that has ended hear of it at once, and the launch with them.
#[test]
fn a_process_that_never_joins_ends_the_launch() {
    let folder = Place::new();
    fs::write(folder.path("sum.mlir"), SUM).unwrap();
    for (code, end) in
        [(3, "process 1 ended with exit status: 3"), (0, "process 0 ended with exit status: 1")]
    {
        let run = format!("{} hlo run sum.mlir --random 3 --devices 4", env!("CARGO_BIN_EXE_jarrah"));
        let one = format!("[ $JARRAH_RANK = 1 ] && exit {code}\nexec {run}\n");
        fs::write(folder.path("one.sh"), one).unwrap();
        let begun = Instant::now();
        let failed = folder.jarrah("launch -n 2 -- sh one.sh");
        assert!(begun.elapsed() < Duration::from_secs(5), "{:?} {failed:?}", begun.elapsed());
        assert_eq!(failed.code, Some(if code == 0 { 1 } else { code }), "{failed:?}");
        let told = format!("[0] error: process 1 ended before it joined the run (exit status: {code})");
        assert!(failed.err.contains(&told) && failed.err.contains(end), "{failed:?}");
    }
}

/// A process that leaves a run takes the others with it, which may end before it: the launch names that process and ends with its status.
#[test]
fn a_launch_names_the_process_at_fault_and_not_one_that_failed_for_want_of_it() {
    let folder = Place::new();
    fs::write(folder.path("sum.mlir"), SUM).unwrap();
    let alone =
        "module { func.func public @main(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> } }";
    fs::write(folder.path("alone.mlir"), alone).unwrap();
    let jarrah = env!("CARGO_BIN_EXE_jarrah");
    let script = format!(
        "if [ $JARRAH_RANK = 1 ]; then {jarrah} hlo run alone.mlir --random 3; sleep 2; exit 5; fi\nexec {jarrah} hlo run sum.mlir --random 3 --devices 4\n"
    );
    fs::write(folder.path("one.sh"), script).unwrap();
    let failed = folder.jarrah("launch -n 2 -- sh one.sh");
    assert!(
        failed.err.contains("[0] error: ")
            && failed.err.contains("process 1 has ended, or given up its devices, before its part was done"),
        "{failed:?}"
    );
    assert!(failed.err.contains("process 1 ended with exit status: 5"), "{failed:?}");
    assert_eq!(failed.code, Some(5), "{failed:?}");

    // Nor one that was ended by a signal for that, as JAX ends those that lose the first process.
    let script = fs::read_to_string(folder.path("one.sh")).unwrap();
    let aborts = script.replace("exec", "trap '' TERM\n") + "kill -ABRT $$\n";
    fs::write(folder.path("one.sh"), aborts).unwrap();
    let failed = folder.jarrah("launch -n 2 -- sh one.sh");
    assert!(failed.err.contains("process 1 ended with exit status: 5"), "{failed:?}");
    assert_eq!(failed.code, Some(5), "{failed:?}");
}

/// Launches that a launch starts do not mix.
#[test]
fn processes_of_a_launch_within_a_launch_have_an_address_of_their_own() {
    let folder = Place::new();
    let within = format!("exec {} launch -n 2 -- sh say.sh\n", env!("CARGO_BIN_EXE_jarrah"));
    fs::write(folder.path("within.sh"), within).unwrap();
    fs::write(folder.path("say.sh"), "echo $JARRAH_EXCHANGE_ADDRESS $JAX_COORDINATOR_ADDRESS\n").unwrap();
    let said = folder.good("launch -n 2 -- sh within.sh");
    let mut said: Vec<&str> = said.lines().map(|line| &line["[0] [0] ".len()..]).collect();
    said.sort_unstable();
    assert!(said[0] == said[1] && said[1] != said[2] && said[2] == said[3], "{said:?}");
    let port = |line: &&str| line.split(' ').nth(1).map(str::to_owned);
    assert!(port(&said[0]).is_some() && port(&said[0]) != port(&said[2]), "{said:?}");
}

/// Variables of a launch, in a process that is none of it.
#[test]
fn a_process_of_a_launch_may_be_a_run_of_its_own() {
    let folder = Place::new();
    fs::write(folder.path("sum.mlir"), SUM).unwrap();
    let run = format!("{} hlo run sum.mlir --random 3 --devices 4", env!("CARGO_BIN_EXE_jarrah"));
    folder.good(&format!("launch -n 2 -- env JARRAH_WORLD_SIZE=1 {run}"));
    let mut left = folder.command("hlo run sum.mlir --random 3 --devices 4");
    left.env("JARRAH_EXCHANGE_ADDRESS", folder.path("gone"))
        .env("JARRAH_RANK", "1")
        .env("JARRAH_WORLD_SIZE", "2");
    let ran = left.output().unwrap();
    let said = String::from_utf8(ran.stderr).unwrap();
    assert_eq!(ran.status.code(), Some(2), "{said}");
    assert!(said.contains("where no launch is") && said.contains("unset JARRAH_EXCHANGE_ADDRESS"), "{said}");
}

/// The number of a process that it has written to a file, and its state in the system's words.
fn written(folder: &Place, name: &str) -> rustix::process::Pid {
    let begun = Instant::now();
    loop {
        let text = fs::read_to_string(folder.path(name)).unwrap_or_default();
        if let Some(process) = text.strip_suffix('\n').and_then(|text| text.parse().ok()) {
            return rustix::process::Pid::from_raw(process).unwrap();
        }
        assert!(begun.elapsed() < Duration::from_secs(30), "nothing writes {name}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Waits until the states of processes, `T` for one that is stopped and none for one that has ended, are these.
fn wait_for(processes: &[rustix::process::Pid], states: &[&str]) {
    let begun = Instant::now();
    let state = |process: &rustix::process::Pid| {
        let stat = fs::read_to_string(format!("/proc/{}/stat", process.as_raw_nonzero())).unwrap_or_default();
        let state = stat.rsplit(')').next().and_then(|rest| rest.split_whitespace().next());
        state.unwrap_or_default().replace('Z', "")
    };
    loop {
        let found: Vec<String> = processes.iter().map(state).collect();
        if found.iter().all(|state| states.contains(&&**state)) {
            return;
        }
        assert!(begun.elapsed() < Duration::from_secs(20), "{found:?} and not {states:?}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// A process that is stopped is named by the others, with the collective and its line, and by the launcher.
#[test]
fn a_stopped_process_is_named() {
    let folder = Place::new();
    let long = EXCHANGES.replace("dense<3> : tensor<i32>", "dense<100000000> : tensor<i32>");
    fs::write(folder.path("long.mlir"), long).unwrap();
    let run = format!("{} hlo run long.mlir --random 3 --devices 4", env!("CARGO_BIN_EXE_jarrah"));
    fs::write(folder.path("run.sh"), format!("echo $$ > $JARRAH_RANK\nexec {run}\n")).unwrap();
    let launch = folder.command("launch -n 2 -- sh run.sh").stderr(Stdio::piped()).spawn().unwrap();
    let process = written(&folder, "1");
    std::thread::sleep(Duration::from_secs(3));
    rustix::process::kill_process(process, rustix::process::Signal::STOP).unwrap();
    let begun = Instant::now();
    let failed = launch.wait_with_output().unwrap();
    let said = String::from_utf8(failed.stderr).unwrap();
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?} {said}", begun.elapsed());
    for part in ["] process 1 is lost: it has given no sign of life", "--> long.mlir:", ", step "] {
        assert!(said.contains(part), "{said}");
    }
    assert!(said.ends_with("process 1 did not go on: it was stopped by SIGSTOP\n"), "{said}");
    assert_eq!(failed.status.code(), Some(1));
}

/// A launch at a terminal of its own, as a shell starts it.
fn at_terminal(folder: &Place, end: &fs::File, script: &str) -> Child {
    fs::write(folder.path("script.sh"), script).unwrap();
    let mut command = Command::new("setsid");
    command.args(["--ctty", env!("CARGO_BIN_EXE_jarrah"), "launch", "-n", "2", "--", "sh", "script.sh"]);
    let same = || Stdio::from(end.try_clone().unwrap());
    command.current_dir(folder.path("")).stdin(same()).stdout(same()).stderr(same()).spawn().unwrap()
}

/// The keys of a terminal stop, continue and end the processes, and what they have started.
#[test]
fn keys_of_a_terminal_reach_all_processes_of_a_launch() {
    let folder = Place::new();
    let (mut screen, end) = terminal();
    let script = "sleep 60 & echo $! > started$JARRAH_RANK; echo $$ > process$JARRAH_RANK; wait";
    let mut launch = at_terminal(&folder, &end, script);
    drop(end);
    let names = ["process0", "process1", "started0", "started1"];
    let processes: Vec<_> = names.iter().map(|name| written(&folder, name)).collect();
    wait_for(&processes, &["S"]);
    screen.write_all(b"\x1a").unwrap();
    wait_for(&processes, &["T"]);
    let launcher = rustix::process::Pid::from_child(&launch);
    wait_for(&[launcher], &["T"]);
    rustix::process::kill_process(launcher, rustix::process::Signal::CONT).unwrap();
    wait_for(&processes, &["S"]);
    screen.write_all(b"\x03").unwrap();
    wait_for(&processes, &[""]);
    assert_eq!(launch.wait().unwrap().code(), Some(1));
}

/// A request to end leaves the processes the time to save, longer than those of a failed run have; another request ends them.
#[test]
fn processes_that_are_asked_to_end_have_time_to_save_until_asked_again() {
    let folder = Place::new();
    let saves = "trap 'sleep 4; echo $$ > saved$JARRAH_RANK; exit 0' TERM\n";
    let waits = "echo $$ > process$JARRAH_RANK\nwhile :; do sleep 0.05; done\n";
    fs::write(folder.path("saves.sh"), format!("{saves}{waits}")).unwrap();
    fs::write(folder.path("ignores.sh"), format!("trap '' TERM\n{waits}")).unwrap();
    let launched = |script: &str| {
        let command = format!("launch -n 2 -- sh {script}");
        let launch = folder.command(&command).stderr(Stdio::piped()).spawn().unwrap();
        let processes = ["process0", "process1"].map(|name| {
            let process = written(&folder, name);
            fs::remove_file(folder.path(name)).unwrap();
            process
        });
        (launch, processes)
    };
    let ask = |launch: &Child, signal| {
        rustix::process::kill_process(rustix::process::Pid::from_child(launch), signal).unwrap();
    };
    let (launch, _) = launched("saves.sh");
    ask(&launch, rustix::process::Signal::TERM);
    let ended = launch.wait_with_output().unwrap();
    let said = String::from_utf8(ended.stderr).unwrap();
    assert!(ended.status.success() && said.contains("they have 30 s, or until the next request"), "{said}");
    assert!(folder.path("saved0").exists() && folder.path("saved1").exists(), "{said}");

    let (mut launch, processes) = launched("ignores.sh");
    ask(&launch, rustix::process::Signal::TERM);
    std::thread::sleep(Duration::from_millis(300));
    ask(&launch, rustix::process::Signal::INT);
    wait_for(&processes, &[""]);
    assert_eq!(launch.wait().unwrap().code(), Some(1));
}

/// A process cannot wait at the terminal for ever: its input is empty, and one that opens the terminal is named.
#[test]
fn a_process_that_reads_the_terminal_is_named() {
    let folder = Place::new();
    let (screen, end) = terminal();
    let mut launch = at_terminal(&folder, &end, "cat\n[ $JARRAH_RANK = 1 ] && cat < /dev/tty\n");
    drop(end);
    let status = launch.wait().unwrap();
    let said = shown(screen);
    assert!(
        said.contains("process 1 did not go on: it was stopped by SIGTTIN, as it read the terminal"),
        "{said}"
    );
    assert_eq!(status.code(), Some(1));
}

/// Processes that `mpirun` has started do not each do the work of all.
#[cfg(not(feature = "mpi"))]
#[test]
fn one_of_several_processes_of_mpi_is_refused_without_mpi() {
    let folder = Place::new();
    fs::write(folder.path("sum.mlir"), SUM).unwrap();
    let run = |name: &str| {
        let mut run = folder.command("hlo run sum.mlir --random 3 --devices 4");
        let ran = run.env(name, "2").output().unwrap();
        (ran.status.code(), String::from_utf8(ran.stderr).unwrap())
    };
    let (code, said) = run("OMPI_COMM_WORLD_SIZE");
    assert!(code == Some(1) && said.contains("this program was built without MPI"), "{said}");
    let (code, said) = run("JARRAH_WORLD_SIZE");
    assert!(code == Some(2) && said.contains("JARRAH_WORLD_SIZE is set, but not"), "{said}");
}

/// A file or a pipe is read by the first process.
#[test]
fn the_first_process_reads_the_input_of_a_launch() {
    let folder = Place::new();
    fs::write(folder.path("input"), "a line\n").unwrap();
    let mut launch = folder.command("launch -n 3 -- cat");
    let said = launch.stdin(fs::File::open(folder.path("input")).unwrap()).output().unwrap();
    assert_eq!(String::from_utf8(said.stdout).unwrap(), "[0] a line\n");
}

/// Mistakes are told before anything runs.
#[test]
fn mistakes_of_a_launch_are_told() {
    let folder = Place::new();
    fs::write(folder.path("sum.mlir"), SUM).unwrap();
    let run = format!("{} hlo run sum.mlir --random 3 --devices 4", env!("CARGO_BIN_EXE_jarrah"));
    let failed = folder.jarrah(&format!("launch -n 3 -- {run}"));
    assert_eq!(failed.code, Some(2));
    assert!(failed.err.contains("4 devices cannot be shared out among 3 processes"), "{failed:?}");
    let failed = folder.jarrah("launch -n 2 -- no_such_program");
    assert!(failed.err.contains("cannot start \"no_such_program\""), "{failed:?}");
    assert_eq!(folder.jarrah("launch -n 0 -- sh").code, Some(2));
}
