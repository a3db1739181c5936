import type { ImportSource } from "../import-source.ts";
import { csv } from "./csv/csv.ts";
import { kuttSource } from "./kutt.ts";
import { yourlsSource } from "./yourls.ts";

/** By the name that commands and requests use. */
export const importSources: Readonly<Record<string, ImportSource>> = {
  csv,
  kutt: kuttSource,
  yourls: yourlsSource,
};
