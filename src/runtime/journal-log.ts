import { logEvent } from "./log.ts";

const LOSS_LOG_MS = 1000;

/** Logs every lost click, one line a second at most. */
export function lossLog() {
  const lost = new Map<string, number>();
  let lastError: unknown;
  const flush = (): void => {
    if (lost.size === 0) return;
    logEvent("error", "clicks were lost", { clicks: Object.fromEntries(lost), error: String(lastError ?? "") });
    lost.clear();
  };
  return {
    flush,
    add(reason: string, clicks: number, error?: unknown): void {
      lastError = error ?? lastError;
      if (lost.size === 0) setTimeout(flush, LOSS_LOG_MS);
      lost.set(reason, (lost.get(reason) ?? 0) + clicks);
    },
  };
}

/** Logs when the disk stops answering the journal, and when it answers again. */
export function stallLog() {
  let stalledAt = 0;
  return {
    onStall(): void {
      stalledAt = performance.now();
      logEvent("warn", "the disk does not answer; clicks wait in memory", { role: "redirect" });
    },
    onStallEnd(earlyClicks: number): void {
      const stalledMs = Math.round(performance.now() - stalledAt);
      logEvent("warn", "the disk answers again", {
        role: "redirect",
        stalled_ms: stalledMs,
        clicks_answered_before_written: earlyClicks,
      });
    },
  };
}
