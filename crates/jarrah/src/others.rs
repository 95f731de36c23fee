//! Flags of vLLM and llama.cpp that this program lacks: it always behaves so, has another name for the flag, or lacks the
//! feature, for a stated reason.

use jarrah::{Error, Result};

/// A flag of another program.
pub struct Other {
    /// Its names: long ones without dashes, short ones with their dash.
    names: &'static [&'static str],
    pub takes_value: bool,
    /// The accepted values: those that ask for the behaviour that this program has anyway; `*` accepts any. A flag without a
    /// value has an empty one, and `false` where a file turns it off.
    fine: &'static [&'static str],
    /// Why there are no others.
    why: &'static str,
    /// The flag of this program to use instead; empty if there is none.
    instead: &'static str,
}

/// With a value.
const fn with(names: &'static [&'static str], fine: &'static [&'static str], why: &'static str) -> Other {
    Other { names, takes_value: true, fine, why, instead: "" }
}

/// Without a value: it asks for what is so anyway, and cannot be turned off.
const fn so(names: &'static [&'static str]) -> Other {
    Other { names, takes_value: false, fine: &[""], why: "it is so always", instead: "" }
}

/// Without a value: whether it is there or not, all is as it would be.
const fn either(names: &'static [&'static str]) -> Other {
    Other { names, takes_value: false, fine: &["", "false"], why: "", instead: "" }
}

/// Without a value: there is no such thing.
const fn never(names: &'static [&'static str], why: &'static str) -> Other {
    Other { names, takes_value: false, fine: &["false"], why, instead: "" }
}

/// Has another name here.
const fn renamed(names: &'static [&'static str], takes_value: bool, instead: &'static str) -> Other {
    Other { names, takes_value, fine: &[], why: "", instead }
}

const ONE_PROCESS: &str = "one process computes the model, with the cores of this machine: see --threads";
const NO_PYTHON: &str = "there is no Python here to run it";
const HERE_ALONE: &str = "keys and values stay with this process: --kv-offload DIR keeps them in files";
const TEXT_ALONE: &str = "models here read text alone";
const NO_DOWNLOAD: &str = "nothing is downloaded: name a folder of this machine";
const COMPILED: &str = "programs are compiled for this processor in one way";
const NO_LOG: &str =
    "requests are not logged: `jarrah serve` does so, without their texts, by --enable-log-requests";

/// All of them.
///
/// Source: <https://docs.vllm.ai/en/latest/configuration/engine_args.html>.
pub const OTHERS: &[Other] = &[
    with(
        &[
            "tensor-parallel-size",
            "-tp",
            "pipeline-parallel-size",
            "-pp",
            "data-parallel-size",
            "-dp",
            "-dcp",
            "-pcp",
        ],
        &["1"],
        ONE_PROCESS,
    ),
    with(&["data-parallel-rank", "data-parallel-size-local", "data-parallel-start-rank"], &[], ONE_PROCESS),
    with(&["data-parallel-backend", "data-parallel-address", "data-parallel-rpc-port"], &[], ONE_PROCESS),
    never(&["data-parallel-hybrid-lb", "data-parallel-external-lb"], ONE_PROCESS),
    with(&["decode-context-parallel-size", "prefill-context-parallel-size"], &["1"], ONE_PROCESS),
    with(&["distributed-executor-backend"], &["uni"], ONE_PROCESS),
    with(&["nnodes", "api-server-count"], &["1"], ONE_PROCESS),
    with(&["node-rank"], &["0"], ONE_PROCESS),
    with(&["master-addr", "master-port"], &["*"], ""),
    never(&["headless"], ONE_PROCESS),
    never(&["enable-expert-parallel", "enable-eplb", "enable-dbo"], ONE_PROCESS),
    with(&["eplb-config", "all2all-backend"], &[], ONE_PROCESS),
    either(&["disable-custom-all-reduce", "disable-frontend-multiprocessing"]),
    with(
        &["gpu-memory-utilization"],
        &[],
        "there is no memory of a GPU to divide: give --kv-cache-memory-bytes, or nothing for an eighth of what there is",
    ),
    with(
        &["cpu-offload-gb", "kv-offloading-size", "swap-space"],
        &["0"],
        "weights, keys and values are in the machine's memory already: --kv-offload DIR keeps the latter in files",
    ),
    with(
        &["offload-backend", "kv-offloading-backend"],
        &[],
        "weights, keys and values are in the machine's memory already: --kv-offload DIR keeps the latter in files",
    ),
    with(&["kv-transfer-config", "kv-events-config", "ec-transfer-config"], &[], HERE_ALONE),
    never(
        &["trust-remote-code"],
        "the code in a model's folder is not run: families are part of the program",
    ),
    with(&["model-impl"], &["auto", "vllm"], "families are part of the program"),
    with(&["tokenizer"], &[], "the tokenizer is that of the model's folder"),
    with(&["tokenizer-mode"], &["auto", "hf", "mistral"], "the tokenizer's files say of what kind it is"),
    with(
        &["load-format"],
        &["auto", "safetensors", "gguf"],
        "the files of the folder say of what kind they are",
    ),
    with(&["download-dir", "revision", "tokenizer-revision", "code-revision", "hf-token"], &[], NO_DOWNLOAD),
    with(&["hf-overrides"], &[], "write a config.json beside links to the weights"),
    with(&["runner"], &["auto", "generate", "pooling"], "a model here generates, and gives vectors"),
    with(&["convert"], &["auto", "none", "embed"], "a model here generates, and gives vectors"),
    with(&["pooler-config"], &[], "give --pooling last, first or mean"),
    so(&["enable-chunked-prefill", "enable-prefix-caching", "async-scheduling"]),
    never(
        &["no-enable-chunked-prefill"],
        "a prompt longer than --max-num-batched-tokens is computed in parts",
    ),
    so(&["no-async-scheduling"]),
    with(
        &["scheduling-policy"],
        &["fcfs", "priority"],
        "requests of a lower `priority` go first, and of equal ones those that came first",
    ),
    with(
        &["long-prefill-token-threshold", "max-long-partial-prefills"],
        &["0", "1"],
        "steps share their tokens among prompts",
    ),
    with(&["max-num-queued-tokens"], &[], "the queue has a bound of requests: --max-num-queued-reqs"),
    with(&["prefix-caching-hash-algo"], &["*"], ""),
    either(&["enforce-eager"]),
    with(&["compilation-config", "-cc", "performance-mode", "optimization-level", "-O"], &[], COMPILED),
    with(&["attention-backend", "mamba-backend", "-ac", "attention-config"], &[], COMPILED),
    with(&["max-seq-len-to-capture", "cuda-graph-sizes"], &["*"], ""),
    with(&["spec-method", "spec-model", "spec-tokens"], &[], "give --speculative-config, or --draft"),
    with(
        &["structured-outputs-config", "guided-decoding-backend"],
        &["auto", "guidance", r#"{"backend":"auto"}"#, r#"{"backend":"guidance"}"#],
        "forms of answers are kept by llguidance",
    ),
    either(&["enable-sleep-mode"]),
    with(
        &["max-cpu-loras"],
        &[],
        "adapters are in the machine's memory already, and --max-loras says for how many there is room",
    ),
    with(
        &["tool-parser-plugin", "reasoning-parser-plugin", "logits-processors", "middleware"],
        &[],
        NO_PYTHON,
    ),
    with(&["chat-template-content-format"], &["auto", "string"], "contents reach templates as texts"),
    with(
        &["limit-mm-per-prompt", "mm-processor-kwargs", "mm-processor-cache-gb", "media-io-kwargs"],
        &[],
        TEXT_ALONE,
    ),
    with(&["allowed-local-media-path", "allowed-media-domains"], &[], TEXT_ALONE),
    with(
        &["weight-transfer-config"],
        &[],
        "weights change by /update_weights, from a folder, with --dev-mode",
    ),
    with(
        &["logprobs-mode"],
        &["raw_logprobs"],
        "logprobs are those of the model, before temperature and penalties",
    ),
    either(&["disable-log-stats", "disable-uvicorn-access-log"]),
    so(&["disable-log-requests", "no-enable-log-requests"]),
    never(&["enable-log-requests"], NO_LOG),
    never(
        &["enable-log-outputs"],
        "texts are not logged: --enable-log-requests writes their tokens, ends and times",
    ),
    with(&["max-log-len", "uvicorn-log-level"], &["*"], ""),
    with(&["collect-detailed-traces"], &[], "spans have all times that there are"),
    with(&["show-hidden-metrics-for-version"], &[], "no metric is hidden"),
    never(&["kv-cache-metrics", "enable-mfu-metrics"], "/metrics has what is measured"),
    with(&["ssl-ca-certs"], &[], "clients are known by --api-key, not by certificates"),
    with(&["ssl-cert-reqs"], &["0"], "clients are known by --api-key, not by certificates"),
    with(&["device"], &["auto", "cpu"], "models are computed by the cores of this machine"),
    with(&["task"], &["auto", "generate", "embed", "score"], "a model here generates, and gives vectors"),
    with(&["response-role"], &["assistant"], "who answers is the assistant"),
    with(&["preemption-mode"], &["recompute"], "what gives way is computed again"),
    with(&["max-num-partial-prefills"], &["1"], "steps share their tokens among prompts"),
    with(&["lora-dtype"], &["auto"], "adapters have the dtype of the weights"),
    with(&["config-format"], &["auto", "hf"], "the files of the folder say of what kind they are"),
    with(&["safetensors-load-strategy"], &["lazy"], "weights are mapped, and read when they are needed"),
    with(
        &["allowed-methods", "allowed-headers"],
        &["*", r#"["*"]"#],
        "give --allowed-origins: their pages may ask everything",
    ),
    never(&["allow-credentials"], "keys come in the header `Authorization`, not in cookies"),
    never(&["fully-sharded-loras"], ONE_PROCESS),
    either(&["use-tqdm-on-load", "disable-fastapi-docs", "use-v2-block-manager", "disable-cascade-attn"]),
    with(
        &["root-path"],
        &["", "/"],
        "it says which path a proxy puts before every route, and here routes begin at /: let the proxy take the path away again",
    ),
    so(&["enable-request-id-headers", "enable-prompt-tokens-details", "enable-server-load-tracking"]),
    never(&["return-tokens-as-token-ids"], "requests ask for it: \"return_tokens_as_token_ids\": true"),
    renamed(&["-q"], true, "--quantization METHOD, or --quantize SCHEME"),
    renamed(&["-m"], true, MODEL),
    renamed(
        &["-hf", "-hfr", "hf-repo"],
        true,
        "the path of a folder or GGUF file of this machine: nothing is downloaded",
    ),
    renamed(&["-c", "ctx-size"], true, "--max-model-len N"),
    with(
        &["-ngl", "n-gpu-layers", "gpu-layers"],
        &["0"],
        "models are computed by the cores of this machine: there are no layers on a GPU",
    ),
    renamed(&["-t", "-tb", "threads-batch"], true, "--threads N"),
    renamed(&["-np", "parallel"], true, "--max-num-seqs N"),
    renamed(&["-b", "-ub", "batch-size", "ubatch-size"], true, "--max-num-batched-tokens N"),
    renamed(
        &["-ctk", "-ctv", "cache-type-k", "cache-type-v"],
        true,
        "--kv-cache-dtype int8, fp8, bf16 or f32",
    ),
    renamed(&["-md", "model-draft"], true, "--draft PATH"),
    renamed(&["lora"], true, "--adapter DIR, or --lora-modules NAME=DIR"),
    renamed(&["-a", "alias"], true, "--served-model-name NAME"),
    renamed(&["chat-template-file"], true, "--chat-template FILE"),
    with(&["-fa", "flash-attn"], &["auto", "on", "1"], "attention never makes the whole matrix of scores"),
    so(&["cont-batching", "-cb", "jinja"]),
];

/// Flags of llama.cpp alone; messages attribute all others to vLLM.
const LLAMA: [&str; 8] =
    ["-ngl", "n-gpu-layers", "gpu-layers", "-fa", "flash-attn", "-cb", "cont-batching", "jinja"];
const MODEL: &str = "the path of the model without a flag: `jarrah serve PATH`";
const FROM_SERVER: &str =
    "prompts are tokens at random, or texts of a file: nothing is tokenized before they are sent";
const NO_SAMPLING: &str = "requests have a temperature alone: --temperature";

/// Flags of `vllm bench serve`.
///
/// Source: <https://docs.vllm.ai/en/latest/cli/bench/serve.html>.
pub const BENCH_SERVE: &[Other] = &[
    with(&["tokenizer", "tokenizer-mode"], &[], FROM_SERVER),
    never(&["trust-remote-code", "skip-tokenizer-init"], FROM_SERVER),
    with(&["burstiness"], &["1", "1.0"], "requests arrive by a Poisson process"),
    with(&["percentile-metrics"], &["*"], ""),
    with(
        &["num-warmups", "ready-check-timeout-sec", "random-prefix-len"],
        &["0"],
        "all that is sent is counted",
    ),
    with(&["random-batch-size"], &["1"], "a request has one prompt"),
    with(&["goodput"], &[], "times are told as they are: --metric-percentiles, --result-filename"),
    with(
        &["ramp-up-strategy", "ramp-up-start-rps", "ramp-up-end-rps"],
        &[],
        "the rate stays the same: --request-rate",
    ),
    with(
        &["top-p", "top-k", "min-p", "frequency-penalty", "presence-penalty", "repetition-penalty"],
        &[],
        NO_SAMPLING,
    ),
    with(
        &["extra-body", "header", "logprobs", "lora-modules"],
        &[],
        "requests have a prompt, a length and a temperature",
    ),
    with(&["result-dir"], &[], "give the whole path as --result-filename"),
    with(
        &["metadata", "label", "request-id-prefix"],
        &[],
        "results have the address, the model and the rates",
    ),
    renamed(&["save-result"], false, "--result-filename FILE"),
    never(&["save-detailed", "append-result"], "a file has the numbers of one measurement"),
    never(&["use-beam-search", "profile", "insecure"], "requests are sent over HTTP, and sampled"),
    renamed(&["endpoint-type"], true, "--backend openai or openai-chat"),
    renamed(&["served-model-name"], true, "--model NAME"),
    renamed(&["custom-output-len"], true, "--random-output-len N, for what the file does not say"),
    either(&["disable-tqdm", "disable-shuffle"]),
];

/// Flags of `vllm bench throughput`, `latency` and `startup`; their further flags are flags of the engine.
///
/// Source: <https://docs.vllm.ai/en/latest/cli/bench/throughput.html>.
pub const BENCH_MODEL: &[Other] = &[
    with(
        &["backend"],
        &["vllm"],
        "the engine is the one of this program; `jarrah bench serve` asks any server",
    ),
    with(
        &["dataset-name"],
        &["random"],
        "prompts are at random: `jarrah bench serve --dataset-path` has texts",
    ),
    with(
        &["dataset", "dataset-path"],
        &[],
        "prompts are at random: `jarrah bench serve --dataset-path` has texts",
    ),
    with(&["tokenizer"], &[], "prompts are tokens at random: nothing is tokenized"),
    with(&["n"], &["1"], "a request has one answer"),
    with(&["seed"], &["0"], "prompts are the same each time"),
    with(&["kv-cache-dtype"], &["auto"], "keys and values have the dtype of the weights"),
    with(&["num-iters-warmup"], &["1"], "one round is not counted"),
    with(
        &["random-range-ratio", "random-prefix-len", "prefix-len"],
        &["0", "0.0"],
        "lengths are the same for all",
    ),
    with(&["lora-path"], &[], "the model is measured as it is"),
    never(&["enable-lora"], "the model is measured as it is"),
    renamed(&["output-json"], true, "--json, which prints the numbers"),
    renamed(&["quantization", "-q"], true, "--quantize SCHEME"),
    renamed(&["-m"], true, "the name or path of the model without a flag, or --model MODEL"),
    never(&["async-engine", "use-beam-search", "profile"], "one engine is measured, without a server"),
    either(&["disable-detokenize", "disable-tqdm"]),
];

impl Other {
    pub fn is_named(&self, flag: &str) -> bool {
        self.names.contains(&flag)
    }

    /// Checks that the value asks for the behaviour that this program has anyway. `flag` is long without dashes, or short with
    /// its dash.
    ///
    /// # Errors
    /// The value asks for another behaviour (`Input`).
    pub fn check(&self, flag: &str, value: Option<&str>) -> Result<()> {
        let value = value.unwrap_or_default();
        if self.fine.iter().any(|fine| *fine == "*" || *fine == value) {
            return Ok(());
        }
        let dashes = if flag.starts_with('-') { "" } else { "--" };
        let shown = if value.is_empty() { String::new() } else { format!(" {value}") };
        if !self.instead.is_empty() {
            let error = Error::input(format!("{dashes}{flag}{shown} is a flag of other programs"));
            return Err(error.help(format!("here, give {}", self.instead)));
        }
        let of = if LLAMA.contains(&flag) { "llama.cpp" } else { "vLLM" };
        let error = Error::input(format!(
            "{dashes}{flag}{shown} is a flag of {of} that means nothing here: {}",
            self.why
        ));
        let fine: Vec<&str> = self.fine.iter().copied().filter(|fine| !fine.is_empty()).collect();
        match fine.as_slice() {
            fine if !self.takes_value || fine.is_empty() => Err(error.help("leave it out")),
            fine => Err(error.help(format!("leave it out, or say {}", fine.join(" or ")))),
        }
    }
}
