/**
 * Copies a file without opening it in this process: closing any descriptor of a file gives up all locks that the
 * process holds on it (POSIX `fcntl`), and DuckDB keeps others out by such a lock.
 */
export async function copyFileAside(from: string, to: string): Promise<void> {
  const copy = Bun.spawn(["cp", "--", from, to], { stdout: "ignore", stderr: "pipe" });
  const [exitCode, problem] = await Promise.all([copy.exited, new Response(copy.stderr).text()]);
  if (exitCode !== 0) throw new Error(`cannot copy ${from}: ${problem.trim()}`);
}
