//! Flags of vLLM that are no flags here: what they ask for is so anyway, or is not there, for a reason.

use jarrah::{Error, Result};

/// A flag of vLLM.
pub struct Other {
    /// Its names, without dashes.
    names: &'static [&'static str],
    pub takes_value: bool,
    /// The values that ask for what is so anyway; `*` is any. A flag without a value that asks for it has an empty one.
    fine: &'static [&'static str],
    /// Why there are no others.
    why: &'static str,
}

/// With a value.
const fn with(names: &'static [&'static str], fine: &'static [&'static str], why: &'static str) -> Other {
    Other { names, takes_value: true, fine, why }
}

/// Without a value: it asks for what is so anyway.
const fn so(names: &'static [&'static str]) -> Other {
    Other { names, takes_value: false, fine: &[""], why: "" }
}

/// Without a value: there is no such thing.
const fn never(names: &'static [&'static str], why: &'static str) -> Other {
    Other { names, takes_value: false, fine: &[], why }
}

const ONE_PROCESS: &str = "one process computes the model, with the cores of this machine: see --threads";
const NO_PYTHON: &str = "there is no Python here to run it";
const HERE_ALONE: &str = "keys and values stay with this process: --kv-offload DIR keeps them in files";
const TEXT_ALONE: &str = "models here read text alone";
const NO_DOWNLOAD: &str = "nothing is downloaded: name a folder of this machine";
const COMPILED: &str = "programs are compiled for this processor in one way";
const NO_LOG: &str = "requests are not logged: /metrics counts them, and --otlp-traces-endpoint traces them";

/// All of them.
///
/// Source: <https://docs.vllm.ai/en/latest/configuration/engine_args.html>.
pub const OTHERS: &[Other] = &[
    with(&["tensor-parallel-size", "pipeline-parallel-size", "data-parallel-size"], &["1"], ONE_PROCESS),
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
    so(&["disable-custom-all-reduce", "disable-frontend-multiprocessing"]),
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
    so(&["enforce-eager"]),
    with(&["compilation-config", "performance-mode", "optimization-level"], &[], COMPILED),
    with(&["attention-backend", "mamba-backend"], &[], COMPILED),
    with(&["max-seq-len-to-capture", "cuda-graph-sizes"], &["*"], ""),
    with(&["spec-method", "spec-model", "spec-tokens"], &[], "give --speculative-config, or --draft"),
    with(
        &["structured-outputs-config", "guided-decoding-backend"],
        &["auto", "guidance", r#"{"backend":"auto"}"#, r#"{"backend":"guidance"}"#],
        "forms of answers are kept by llguidance",
    ),
    so(&["enable-lora", "enable-sleep-mode"]),
    with(&["max-cpu-loras"], &["*"], ""),
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
    so(&[
        "disable-log-stats",
        "disable-log-requests",
        "no-enable-log-requests",
        "disable-uvicorn-access-log",
    ]),
    never(&["enable-log-requests", "enable-log-outputs"], NO_LOG),
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
    so(&["use-tqdm-on-load", "disable-fastapi-docs", "use-v2-block-manager", "disable-cascade-attn"]),
    with(&["root-path"], &["", "/"], "a proxy that adds a path has to take it away again"),
    so(&["enable-request-id-headers", "enable-prompt-tokens-details", "enable-server-load-tracking"]),
    never(&["return-tokens-as-token-ids"], "requests ask for it: \"return_tokens_as_token_ids\": true"),
];

impl Other {
    pub fn is_named(&self, flag: &str) -> bool {
        self.names.contains(&flag)
    }

    /// Whether the value asks for what is so anyway.
    ///
    /// # Errors
    /// It does not (`Input`).
    pub fn check(&self, flag: &str, value: Option<&str>) -> Result<()> {
        let value = value.unwrap_or_default();
        if self.fine.iter().any(|fine| *fine == "*" || *fine == value) {
            return Ok(());
        }
        let shown = if value.is_empty() { String::new() } else { format!(" {value}") };
        let error =
            Error::input(format!("--{flag}{shown} is a flag of vLLM that means nothing here: {}", self.why));
        match self.fine {
            [] => Err(error.help("leave it out")),
            fine => Err(error.help(format!("leave it out, or say {}", fine.join(" or ")))),
        }
    }
}
