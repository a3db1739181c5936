export const MANIFEST_FILE = "manifest.json";

/** Written by the console's build: its files, and those that the page loads first. */
export interface ConsoleManifest {
  readonly script: string;
  readonly theme: string;
  readonly style: string;
  readonly icon: string;
  readonly files: readonly string[];
}
