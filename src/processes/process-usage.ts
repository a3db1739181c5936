/** What a process has cost so far. */
export interface ProcessUsage {
  readonly cpuSeconds: number;
  readonly residentBytes: number;
}

export function readUsage(): ProcessUsage {
  const { user, system } = process.cpuUsage();
  return { cpuSeconds: (user + system) / 1e6, residentBytes: process.memoryUsage.rss() };
}
