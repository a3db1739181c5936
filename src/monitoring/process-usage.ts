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
    // That takes a file descriptor, of which clients may have left none; the last figure stands.
  }
  return { cpuSeconds: (user + system) / 1e6, residentBytes };
}
