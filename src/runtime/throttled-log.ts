/** Calls `log` at most once per interval, with how often it was called since the last line and the latest detail. */
export function throttleLog<T = void>(
  intervalMs: number,
  log: (times: number, latest: T) => void,
): (latest: T, times?: number) => void {
  let loggedAt = Number.NEGATIVE_INFINITY;
  let pending = 0;
  return (latest, times = 1) => {
    pending += times;
    if (performance.now() - loggedAt < intervalMs) return;
    log(pending, latest);
    loggedAt = performance.now();
    pending = 0;
  };
}
