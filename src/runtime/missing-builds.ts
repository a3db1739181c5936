import { existsSync } from "node:fs";
import { join } from "node:path";
import { CONSOLE_DIST } from "#console-server/console-files.ts";
import { DOCS_DIST } from "#docs-page/docs-files.ts";
import { errorText } from "#kernel/error-text.ts";
import { findInClone } from "#kernel/shipped-files.ts";
import { MANIFEST_FILE } from "#shared/console-manifest.ts";
import { logEvent } from "./log.ts";

interface Part {
  readonly name: string;
  readonly directory: string;
  /** `null` in the one-file program, which has every page. */
  readonly script: string | null;
}

const PARTS: readonly Part[] = [
  { name: "the console", directory: CONSOLE_DIST, script: findInClone("scripts/build-console.ts") },
  { name: "the documentation", directory: DOCS_DIST, script: findInClone("scripts/build-docs.ts") },
];

type Build = Bun.Subprocess<"ignore", "ignore", "pipe">;

/** Builds the pages that an installation left out, one part after the other, in processes of their own: it takes seconds. */
export function buildMissingPages(): { stop(): void } {
  let running: Build | undefined;
  let isStopped = false;
  const run = async (): Promise<void> => {
    for (const { name, script } of PARTS.filter(({ directory }) => !existsSync(join(directory, MANIFEST_FILE)))) {
      if (isStopped || script === null) return;
      running = startBuild(name, script);
      await report(name, running);
    }
  };
  void run().catch((error: unknown) => logEvent("error", "pages could not be built", { error: errorText(error) }));
  return {
    stop() {
      isStopped = true;
      running?.kill();
    },
  };
}

function startBuild(name: string, script: string): Build {
  logEvent("info", `${name} is not built yet and is being built`);
  return Bun.spawn([process.execPath, script], { stdout: "ignore", stderr: "pipe", stdin: "ignore" });
}

async function report(name: string, child: Build): Promise<void> {
  const [output, code] = await Promise.all([new Response(child.stderr).text(), child.exited]);
  if (code === 0) logEvent("info", `${name} is built`);
  else logEvent("error", `${name} could not be built; run: npm run build`, { code, output: output.slice(-2000) });
}
