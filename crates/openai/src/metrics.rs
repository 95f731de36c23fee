//! `GET /metrics`: the engine's counters, by vLLM's names.

use axum::response::Response;
use jarrah_http::{Asked, MetricsPage};
use jarrah_serve::EngineMetrics;

use crate::app::App;
use crate::refusal::Result;

/// Answers with the page of metrics.
// A table: a row for each metric.
pub fn page(app: &App, _: &Asked) -> Result<Response> {
    let EngineMetrics {
        running,
        waiting,
        cache_usage,
        pages,
        page,
        prompt_tokens,
        cached_prompt_tokens,
        generation_tokens,
        prefix_queries,
        prefix_hits,
        offload_queries,
        offload_hits,
        restored_pages,
        offloaded_pages,
        offload_lost_pages,
        preemptions,
        rejected,
        drafts,
        drafted_tokens,
        accepted_tokens,
        finished,
        time_to_first_token,
        inter_token,
        end_to_end,
        queue,
        prefill,
        decode,
        inference,
        time_per_output_token,
        prompt_length,
        generation_length,
        max_tokens,
        n,
        step_tokens,
    } = app.engine.metrics();
    let gauges = [
        ("num_requests_running", "Answers that are computed.", running as f64),
        ("num_requests_waiting", "Answers that wait.", waiting as f64),
        (
            "kv_cache_usage_perc",
            "The share of the pages of keys and values that answers hold; 1 is all.",
            cache_usage,
        ),
        ("engine_sleep_state", "1 while the engine was told to sleep.", f64::from(u8::from(app.is_asleep()))),
    ];
    let counters = [
        ("prefix_cache_queries", "Tokens that were looked for in the prefix cache.", prefix_queries),
        ("prefix_cache_hits", "Tokens that were found in the prefix cache.", prefix_hits),
        (
            "external_prefix_cache_queries",
            "Tokens of prompts that were looked for in files of keys and values.",
            offload_queries,
        ),
        (
            "external_prefix_cache_hits",
            "Tokens of prompts whose keys and values were read from files.",
            offload_hits,
        ),
        ("kv_offload_pages_read", "Pages of keys and values that were read from files.", restored_pages),
        ("kv_offload_pages_written", "Pages that were given to be written to files.", offloaded_pages),
        (
            "kv_offload_pages_lost",
            "Pages that were not written, since that could not keep up.",
            offload_lost_pages,
        ),
        ("num_preemptions", "Answers that gave back their pages for others.", preemptions),
        ("admission_rejections", "Requests that found the queue full.", rejected),
        ("prompt_tokens", "Tokens of prompts.", prompt_tokens),
        (
            "prompt_tokens_cached",
            "Tokens of prompts that were found in the prefix cache.",
            cached_prompt_tokens,
        ),
        ("generation_tokens", "Tokens that were chosen.", generation_tokens),
        ("spec_decode_num_drafts", "Drafts that were tried.", drafts),
        ("spec_decode_num_draft_tokens", "Tokens of drafts.", drafted_tokens),
        ("spec_decode_num_accepted_tokens", "Tokens of drafts that came.", accepted_tokens.iter().sum()),
    ];
    let places: Vec<String> =
        (0..accepted_tokens.len()).map(|place| format!(",position=\"{place}\"")).collect();
    let reasons = [
        ("stop", finished.stop),
        ("length", finished.length),
        ("abort", finished.abort),
        ("error", finished.error),
    ];
    let reasons = reasons.map(|(reason, count)| (format!(",finished_reason=\"{reason}\""), count));
    // Counters whose samples differ by one label.
    let labelled: [(&str, &str, Vec<(&str, u64)>); 2] = [
        (
            "spec_decode_num_accepted_tokens_per_pos",
            "Tokens of drafts that came, by their place in the draft.",
            places.iter().map(String::as_str).zip(accepted_tokens.iter().copied()).collect(),
        ),
        (
            "request_success",
            "Answers that ended, by why.",
            reasons.iter().map(|(label, count)| (label.as_str(), *count)).collect(),
        ),
    ];
    let histograms = [
        ("time_to_first_token_seconds", "From arrival to the first token.", &time_to_first_token),
        ("inter_token_latency_seconds", "From a token to the next.", &inter_token),
        (
            "request_time_per_output_token_seconds",
            "The mean time of a token behind the first.",
            &time_per_output_token,
        ),
        ("e2e_request_latency_seconds", "From arrival to the end.", &end_to_end),
        ("request_queue_time_seconds", "From arrival to the first step.", &queue),
        ("request_inference_time_seconds", "From the first step to the end.", &inference),
        ("request_prefill_time_seconds", "From the first step to the first token.", &prefill),
        ("request_decode_time_seconds", "From the first token to the end.", &decode),
        ("request_prompt_tokens", "Tokens of prompts.", &prompt_length),
        ("request_generation_tokens", "Tokens of answers.", &generation_length),
        ("request_params_max_tokens", "The most tokens that answers might have.", &max_tokens),
        ("request_params_n", "Answers asked for by a request.", &n),
        ("iteration_tokens_total", "Tokens of steps.", &step_tokens),
    ];

    let mut out = MetricsPage::new("vllm:", &[("model_name", app.name()), ("engine", "0")]);
    for (name, help, value) in gauges {
        out.gauge(name, help, "", value);
    }
    for (name, help, count) in counters {
        out.counter(name, help, &[("", count)]);
    }
    for (name, help, counts) in labelled {
        out.counter(name, help, &counts);
    }
    for (name, help, histogram) in histograms {
        out.histogram(name, help, histogram.bounds, &histogram.counts, histogram.sum);
    }
    let cache = format!(",block_size=\"{page}\",num_gpu_blocks=\"{pages}\"");
    out.gauge("cache_config_info", "What the cache of keys and values is.", &cache, 1);
    Ok(out.response())
}
