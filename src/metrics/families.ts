interface Family {
  readonly type: "counter" | "gauge" | "histogram";
  readonly help: string;
}

/** Everything that is measured, in the order in which it is told. No label ever holds what a client chose. */
export const families = {
  kurz_build_info: { type: "gauge", help: "The version that runs; always 1." },
  kurz_start_time_seconds: { type: "gauge", help: "When the server was started, in seconds since 1970." },
  kurz_process_up: { type: "gauge", help: "Whether the process is ready to work." },
  kurz_process_restarts_total: { type: "counter", help: "How often the process was started again." },
  kurz_process_cpu_seconds_total: { type: "counter", help: "CPU time that the process used." },
  kurz_process_resident_memory_bytes: { type: "gauge", help: "Memory that the process holds." },
  kurz_event_loop_delay_seconds: {
    type: "histogram",
    help: "How long the process took to answer a ping, of which there are four a second.",
  },
  kurz_short_link_requests_total: { type: "counter", help: "Requests for short links, by what became of them." },
  kurz_link_cache_lookups_total: {
    type: "counter",
    help: "Short links that were known in memory (hit) or had to be read (miss).",
  },
  kurz_control_refusals_total: {
    type: "counter",
    help: "Requests that were answered with 503 because control was away or the client had its share of it.",
  },
  kurz_unknown_proxy_requests_total: {
    type: "counter",
    help: "Requests that came through a proxy while KURZ_TRUST_PROXY is 0, with an https base URL. Should stay 0.",
  },
  kurz_geo_file_unusable: {
    type: "gauge",
    help: "Redirect processes that cannot use KURZ_GEO_MMDB and use bundled or earlier data. Should stay 0.",
  },
  kurz_clicks_journaled_total: { type: "counter", help: "Clicks written to the journal." },
  kurz_clicks_waiting: { type: "gauge", help: "Clicks in memory that the journal has not taken yet." },
  kurz_clicks_answered_early_total: {
    type: "counter",
    help: "Clicks that were answered before the journal had them, because the disk did not answer.",
  },
  kurz_clicks_dropped_total: { type: "counter", help: "Clicks that are lost, by reason. Should stay 0." },
  kurz_clicks_ingested_total: { type: "counter", help: "Clicks that a consumer took from the journal." },
  kurz_ingestion_failures_total: { type: "counter", help: "Failed attempts to carry clicks on; they are tried again." },
  kurz_journal_lag_bytes: { type: "gauge", help: "How much of the journal the consumer has not read yet." },
  kurz_journal_lag_seconds: { type: "gauge", help: "The age of the oldest click that the consumer has not read yet." },
  kurz_journal_sync_failures_total: {
    type: "counter",
    help: "Times the disk did not confirm the journal; a power cut may cost these clicks.",
  },
  kurz_journal_bytes: { type: "gauge", help: "The size of the journal." },
  kurz_journal_bytes_max: { type: "gauge", help: "The size from which clicks are lost." },
  kurz_journal_unreadable_segments: {
    type: "gauge",
    help: "Journal segments that cannot be read, so that their clicks wait. Should stay 0.",
  },
  kurz_journal_quarantined_segments: { type: "gauge", help: "Damaged journal segments that were put aside." },
  kurz_data_bytes: { type: "gauge", help: "The size of a data file." },
  kurz_disk_free_bytes: { type: "gauge", help: "Free space where the data directory lies." },
  kurz_api_requests_total: { type: "counter", help: "API requests by operation and class of status." },
  kurz_api_request_duration_seconds: { type: "histogram", help: "How long control took to answer API requests." },
  kurz_webhook_attempts_total: {
    type: "counter",
    help: "Attempts to deliver an event, by what came of them: delivered, refused, or why there was no answer.",
  },
  kurz_webhook_attempts_in_flight: { type: "gauge", help: "Attempts that are under way." },
  kurz_api_rate_limited_total: { type: "counter", help: "API requests that were refused with 429." },
} as const satisfies Readonly<Record<string, Family>>;

export type FamilyName = keyof typeof families;
