/** What a process has cost so far. */
export interface ProcessUsage {
  readonly cpuSeconds: number;
  readonly residentBytes: number;
}

let residentBytes = 0;

export function readUsage(): ProcessUsage {
  const { user, system } = process.cpuUsage();
  try {
    residentBytes = process.memoryUsage.rss();
  } catch {
    // Needs a file descriptor, and clients may have left none; the last figure is kept.
  }
  return { cpuSeconds: (user + system) / 1e6, residentBytes };
}
