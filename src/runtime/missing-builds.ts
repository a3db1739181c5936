import { existsSync } from "node:fs";
import { join } from "node:path";
import { CONSOLE_DIST } from "#console-server/console-files.ts";
import { DOCS_DIST } from "#docs-page/docs-files.ts";
import { errorText } from "#kernel/error-text.ts";
import { MANIFEST_FILE } from "#shared/console-manifest.ts";
import { logEvent } from "./log.ts";

interface Part {
  readonly name: string;
  readonly directory: string;
  readonly script: string;
}

const PARTS: readonly Part[] = [
  { name: "the console", directory: CONSOLE_DIST, script: "build-console.ts" },
  { name: "the documentation", directory: DOCS_DIST, script: "build-docs.ts" },
];

type Build = Bun.Subprocess<"ignore", "ignore", "pipe">;

/** Builds the pages that an installation left out, one part after the other, in processes of their own: it takes seconds. */
export function buildMissingPages(): { stop(): void } {
  let running: Build | undefined;
  let isStopped = false;
  const run = async (): Promise<void> => {
    for (const part of PARTS.filter(({ directory }) => !existsSync(join(directory, MANIFEST_FILE)))) {
      if (isStopped) return;
      running = startBuild(part);
      await report(part, running);
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

function startBuild({ name, script }: Part): Build {
  logEvent("info", `${name} is not built yet and is being built`);
  const path = join(import.meta.dir, "..", "..", "scripts", script);
  return Bun.spawn([process.execPath, path], { stdout: "ignore", stderr: "pipe", stdin: "ignore" });
}

async function report({ name }: Part, child: Build): Promise<void> {
  const [output, code] = await Promise.all([new Response(child.stderr).text(), child.exited]);
  if (code === 0) logEvent("info", `${name} is built`);
  else logEvent("error", `${name} could not be built; run: npm run build`, { code, output: output.slice(-2000) });
}
