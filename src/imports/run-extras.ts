import type { ArchivedTag, ArchivedUtmTemplate } from "#contract/account-archive.ts";
import { ApiError } from "#kernel/api-error.ts";
import type { Caller } from "#kernel/caller.ts";
import type { ImportDeps, ImportWork } from "./import-work.ts";
import { readSpool } from "./spool.ts";

/** What an account on another Kurz has beside links and clicks. */
export type ImportedExtra =
  | { readonly type: "tag"; readonly tag: ArchivedTag }
  | { readonly type: "utm_template"; readonly template: ArchivedUtmTemplate };

export interface Extras {
  addColor(caller: Caller, tag: ArchivedTag): Promise<void>;
  addTemplate(caller: Caller, template: ArchivedUtmTemplate): Promise<void>;
}

const SLICE = { linesMax: 50, bytesMax: 1 << 20 };

/** Adds what the account doesn't have yet, and replaces nothing: so it may be done again after a kill. */
export async function runExtras({ extras }: ImportDeps, { caller, spool, signal }: ImportWork): Promise<void> {
  for await (const { values } of readSpool<ImportedExtra>(spool.extras, 0, SLICE)) {
    signal.throwIfAborted();
    for (const extra of values) {
      try {
        if (extra.type === "tag") await extras.addColor(caller, extra.tag);
        else await extras.addTemplate(caller, extra.template);
      } catch (error) {
        // The account has as many as it may have.
        if (!(error instanceof ApiError) || error.status >= 500) throw error;
      }
    }
  }
}
