import { join } from "node:path";

interface MoveAt {
  readonly path: string;
  readonly url: string;
  /** Where it stops and waits to be killed, as step and table. */
  readonly point: string;
}

const fixture = join(import.meta.dir, "..", "conformance", "fixtures", "move-until.ts");

/** A process that moves records up to a point, and then does nothing more. */
export async function startMove({ path, url, point }: MoveAt): Promise<Bun.Subprocess> {
  const child = Bun.spawn([process.execPath, fixture, path, url, point], {
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
