export const MANIFEST_FILE = "manifest.json";

/** Written by the console's build: its files, and those that the page loads first. */
export interface ConsoleManifest {
  readonly script: string;
  readonly theme: string;
  readonly style: string;
  /** What nearly every text needs; further alphabets have files of their own. */
  readonly font: string;
  readonly icon: string;
  readonly files: readonly string[];
}
