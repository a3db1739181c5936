import { join } from "node:path";

interface MoveAt {
  readonly path: string;
  readonly url: string;
  /** Where it stops and waits to be killed, as step and table. */
  readonly point: string;
}

const fixture = join(import.meta.dir, "..", "conformance", "fixtures", "move-until.ts");

/** A process that moves records up to a point, and then does nothing more. */
export const startMove = ({ path, url, point }: MoveAt): Promise<Bun.Subprocess> =>
  startUntilThere(fixture, [path, url, point], point);

/** A process that says when it has come to a point, and waits there. */
export async function startUntilThere(
  program: string,
  args: readonly string[],
  point: string,
): Promise<Bun.Subprocess> {
  const child = Bun.spawn([process.execPath, program, ...args], {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit",
  });
  for await (const chunk of child.stdout) {
    if (new TextDecoder().decode(chunk).includes("there")) return child;
  }
  throw new Error(`the move ended before ${point}`);
}

export async function killAndWait(child: Bun.Subprocess): Promise<void> {
  child.kill("SIGKILL");
  await child.exited;
}
