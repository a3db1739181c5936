/**
 * Copies a file without opening it in this process: closing any descriptor of a file releases all locks the process
 * has on it (POSIX `fcntl`), and DuckDB relies on such a lock.
 */
export async function copyFileAside(from: string, to: string): Promise<void> {
  const copy = Bun.spawn(["cp", "--", from, to], { stdout: "ignore", stderr: "pipe" });
  const [exitCode, problem] = await Promise.all([copy.exited, new Response(copy.stderr).text()]);
  if (exitCode !== 0) throw new Error(`can't copy ${from}: ${problem.trim()}`);
}
