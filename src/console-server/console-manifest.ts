import { join } from "node:path";

/** Where the bundle stands. */
export const CONSOLE_DIST = join(import.meta.dir, "..", "..", "dist", "console");

export const MANIFEST_FILE = "manifest.json";

/** What the bundler wrote, and what the page must load first. */
export interface ConsoleManifest {
  readonly script: string;
  readonly theme: string;
  readonly style: string;
  readonly icon: string;
  readonly files: readonly string[];
}
