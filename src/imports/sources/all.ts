import type { ImportSource } from "../import-source.ts";
import { bitlySource } from "./bitly.ts";
import { csv } from "./csv/csv.ts";
import { dubSource } from "./dub.ts";
import { kurzSource } from "./kurz.ts";
import { kuttSource } from "./kutt.ts";
import { shlinkSource } from "./shlink.ts";
import { yourlsSource } from "./yourls.ts";

/** By the name that commands and requests use. */
export const importSources: Readonly<Record<string, ImportSource>> = {
  bitly: bitlySource,
  csv,
  dub: dubSource,
  kurz: kurzSource,
  kutt: kuttSource,
  shlink: shlinkSource,
  yourls: yourlsSource,
};
