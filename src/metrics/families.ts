interface Family {
  readonly type: "counter" | "gauge" | "histogram";
  readonly help: string;
}

/** All metrics, in the order of the output. Labels never contain client input. */
export const families = {
  kurz_build_info: { type: "gauge", help: "The running version; always 1." },
  kurz_start_time_seconds: { type: "gauge", help: "When the server started, in Unix seconds." },
  kurz_process_up: { type: "gauge", help: "Whether the process is ready." },
  kurz_process_restarts_total: { type: "counter", help: "How often the process was restarted." },
  kurz_process_cpu_seconds_total: { type: "counter", help: "CPU time that the process used." },
  kurz_process_resident_memory_bytes: { type: "gauge", help: "Resident memory of the process." },
  kurz_event_loop_delay_seconds: {
    type: "histogram",
    help: "Latency of the pings sent to the process four times a second.",
  },
  kurz_short_link_requests_total: { type: "counter", help: "Short link requests, by outcome." },
  kurz_link_cache_lookups_total: {
    type: "counter",
    help: "Short links found in the cache (hit) or read from the records (miss).",
  },
  kurz_control_refusals_total: {
    type: "counter",
    help: "Requests that got a 503 because control was unavailable or the client exceeded its share.",
  },
  kurz_unknown_proxy_requests_total: {
    type: "counter",
    help: "Requests that came through a proxy although KURZ_TRUST_PROXY is 0 and the base URL is https. Should stay 0.",
  },
  kurz_geo_file_unusable: {
    type: "gauge",
    help: "Redirect processes that can't use KURZ_GEO_MMDB and use bundled or earlier data instead. Should stay 0.",
  },
  kurz_clicks_journaled_total: { type: "counter", help: "Clicks written to the journal." },
  kurz_clicks_waiting: { type: "gauge", help: "Clicks in memory that aren't written to the journal yet." },
  kurz_clicks_answered_early_total: {
    type: "counter",
    help: "Clicks redirected before they were in the journal, because the disk didn't respond.",
  },
  kurz_clicks_dropped_total: { type: "counter", help: "Lost clicks, by reason. Should stay 0." },
  kurz_clicks_ingested_total: { type: "counter", help: "Clicks a consumer processed from the journal." },
  kurz_ingestion_failures_total: { type: "counter", help: "Failed attempts to process clicks; they are retried." },
  kurz_journal_lag_bytes: { type: "gauge", help: "Journal bytes the consumer hasn't processed yet." },
  kurz_journal_lag_seconds: { type: "gauge", help: "Age of the oldest click the consumer hasn't processed yet." },
  kurz_journal_sync_failures_total: {
    type: "counter",
    help: "Times the disk failed to sync the journal; a power loss may lose these clicks.",
  },
  kurz_journal_bytes: { type: "gauge", help: "Size of the journal." },
  kurz_journal_bytes_max: { type: "gauge", help: "Journal size at which clicks are dropped." },
  kurz_journal_unreadable_segments: {
    type: "gauge",
    help: "Journal segments that can't be read, so their clicks are delayed. Should stay 0.",
  },
  kurz_journal_texts: {
    type: "gauge",
    help: "Texts of clicks in memory for the journal segments that are being read.",
  },
  kurz_journal_quarantined_segments: { type: "gauge", help: "Damaged journal segments that were moved aside." },
  kurz_data_bytes: { type: "gauge", help: "Size of a data file." },
  kurz_disk_free_bytes: { type: "gauge", help: "Free disk space in the data directory." },
  kurz_api_requests_total: { type: "counter", help: "API requests by operation and class of status." },
  kurz_api_request_duration_seconds: { type: "histogram", help: "Latency of API requests in control." },
  kurz_records_server_up: {
    type: "gauge",
    help: "1 if the PostgreSQL server accepted the last connection, 0 if only known links are redirected.",
  },
  kurz_clicks_server_up: {
    type: "gauge",
    help: "1 if the ClickHouse server answered the last time, 0 if clicks wait in the journal.",
  },
  kurz_coordination_up: {
    type: "gauge",
    help: "Whether nodes share limits and signals through REDIS_URL (1), or each node has to limit for itself (0).",
  },
  kurz_coordination_fallbacks_total: {
    type: "counter",
    help: "Rate limit decisions that the node made for itself, because the server at REDIS_URL was away.",
  },
  kurz_webhook_attempts_total: {
    type: "counter",
    help: "Delivery attempts by result: delivered, refused, or why there was no response.",
  },
  kurz_webhook_attempts_in_flight: { type: "gauge", help: "Delivery attempts in progress." },
  kurz_api_rate_limited_total: { type: "counter", help: "API requests that were refused with 429." },
} as const satisfies Readonly<Record<string, Family>>;

export type FamilyName = keyof typeof families;
