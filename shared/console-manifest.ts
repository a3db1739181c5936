import type { ConsoleLanguage } from "./console-languages.ts";

export const MANIFEST_FILE = "manifest.json";

/** Beside a file, the same compressed: by the build, which can take the time that a server doesn't have. */
export const BROTLI_ENDING = ".br";

/** Written by the console's build: its files, and those that the page loads first. */
export interface ConsoleManifest {
  readonly pages: Readonly<Record<ConsoleLanguage, ConsoleEntry>>;
  /** Runs in the page itself, before the script is there. */
  readonly boot: string;
  /** The page of a shared report. */
  readonly share: {
    readonly pages: Readonly<Record<ConsoleLanguage, ConsoleEntry>>;
    readonly boot: string;
  };
  /** What nearly every text needs; further alphabets have files of their own. */
  readonly font: string;
  readonly icon: string;
  readonly files: readonly string[];
}

export interface ConsoleEntry {
  readonly script: string;
  readonly style: string;
}
