/** Runs a program in a directory and returns its output; if it fails, what it said is the error. */
export async function run(command: readonly string[], directory: string, stdin?: string): Promise<string> {
  const child = Bun.spawn([...command], {
    cwd: directory,
    stdin: stdin === undefined ? "ignore" : new Blob([stdin]),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (code !== 0) throw new Error(`${command.slice(0, 3).join(" ")} failed:\n${stderr || stdout}`);
  return stdout.trim();
}
