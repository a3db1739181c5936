import { existsSync } from "node:fs";
import { join } from "node:path";
import { CONSOLE_DIST } from "#console-server/console-files.ts";
import { errorText } from "#kernel/error-text.ts";
import { MANIFEST_FILE } from "#shared/console-manifest.ts";
import { logEvent } from "./log.ts";

const SCRIPT = join(import.meta.dir, "..", "..", "scripts", "build-console.ts");

/** Bundles the console where an installation left that out. In a process of its own, since it takes seconds. */
export function buildMissingConsole(): { stop(): void } {
  if (existsSync(join(CONSOLE_DIST, MANIFEST_FILE))) return { stop() {} };
  logEvent("info", "the console is not built yet and is being built");
  const child = Bun.spawn([process.execPath, SCRIPT], { stdout: "ignore", stderr: "pipe", stdin: "ignore" });
  void report(child).catch((error: unknown) =>
    logEvent("error", "the console could not be built", { error: errorText(error) }),
  );
  return {
    stop: () => child.kill(),
  };
}

async function report(child: Bun.Subprocess<"ignore", "ignore", "pipe">): Promise<void> {
  const [output, code] = await Promise.all([new Response(child.stderr).text(), child.exited]);
  if (code === 0) logEvent("info", "the console is built");
  else logEvent("error", "the console could not be built; run: npm run build", { code, output: output.slice(-2000) });
}
