import type { ArchiveItem } from "#account-export/read-archive.ts";
import { printable } from "#account-export/read-tar.ts";
import type { ImportItem } from "#imports/import-source.ts";

/** Enough for all events, and for most addresses. */
const CHARACTERS_MAX = 1000;

/** What is left to do: nobody owns a domain because an archive says so, and no secret of an endpoint is in it. */
export function* stepsOf(item: Extract<ArchiveItem, { file: "domains" | "endpoints" }>): Generator<ImportItem> {
  if (item.file === "domains") {
    for (const { name, status } of item.records) {
      if (status === "verified") yield { type: "step", where: shown(name), what: DOMAIN_STEP };
    }
    return;
  }
  for (const { url, events } of item.records) {
    const what = `A webhook endpoint isn't taken over, since its secret isn't. Create it for ${shown(events.join(", "))}.`;
    yield { type: "step", where: shown(url), what };
  }
}

const shown = (text: string): string => printable(text, CHARACTERS_MAX);

const DOMAIN_STEP =
  "A domain isn't taken over. Add it, set the TXT record that Kurz shows, verify it and point it here. Links of a host that " +
  "isn't verified before the import get another domain.";
