import { BadArchive } from "#account-export/bad-archive.ts";
import { type ArchiveItem, readArchive } from "#account-export/read-archive.ts";
import { OutboundError } from "#engines/outbound/outbound-client.ts";
import { type ImportItem, type ImportSource, type ReadContext, SourceProblem } from "#imports/import-source.ts";
import { stepsOf } from "./archived-steps.ts";
import { toExportedCounts } from "./kurz-counts.ts";
import { ArchivedLinks } from "./kurz-links.ts";

const HEAD_MS_MAX = 60_000;
const IDLE_MS_MAX = 120_000;
const ARCHIVE_BYTES_MAX = 8 * 1024 ** 3;

/** Another Kurz, or the archive of an account of it. */
export const kurzSource: ImportSource = {
  title: "Kurz",
  needsToken: true,
  place: "either",
  async *read(context) {
    try {
      yield* itemsOf(readArchive(context.file === null ? download(context) : readFile(context.file)), context);
    } catch (error) {
      if (error instanceof BadArchive) throw new SourceProblem(error.message);
      if (error instanceof OutboundError) throw new SourceProblem(`The other Kurz can't be read. ${error.message}`);
      throw error;
    }
  },
};

async function* itemsOf(
  items: AsyncIterable<ArchiveItem>,
  { withClicks, countsFrom }: Pick<ReadContext, "withClicks" | "countsFrom">,
): AsyncGenerator<ImportItem> {
  const links = new ArchivedLinks(withClicks ? (countsFrom ?? 0) : Number.POSITIVE_INFINITY);
  let part = 0;
  for await (const item of items) {
    if (item.file === "history") {
      yield* links.addHistory(item.records);
      continue;
    }
    // A part of the links is followed by the histories of just these.
    if (item.file !== "links" || item.part !== part) yield* links.finish();
    if (item.file === "links") {
      part = item.part;
      links.add(item.records);
    } else if (item.file !== "counts") {
      yield* othersOf(item);
    } else if (withClicks) {
      for (const record of item.records) {
        const counts = toExportedCounts(record, countsFrom);
        if (counts) yield counts;
      }
    }
  }
  yield* links.finish();
}

/** What isn't a link or a click. */
function* othersOf(item: Exclude<ArchiveItem, { file: "links" | "history" | "counts" }>): Generator<ImportItem> {
  if (item.file === "tags") for (const tag of item.records) yield { type: "tag", tag };
  else if (item.file === "utm-templates") for (const template of item.records) yield { type: "utm_template", template };
  else if (item.file !== "manifest") yield* stepsOf(item);
}

const readFile = (file: string): AsyncIterable<Uint8Array> => Bun.file(file).stream();

/** Read as it arrives: it is never in memory, nor in a file of its own. */
async function* download({ client, signal, url, token }: ReadContext): AsyncGenerator<Uint8Array> {
  const problem = client.findUrlProblem(url);
  if (problem) throw new SourceProblem(problem.message);
  const { origin } = new URL(url);
  const { status, headers, body } = await client.download({
    url: `${origin}/api/v1/export`,
    headers: { Authorization: `Bearer ${token}`, Accept: "application/gzip", "Accept-Encoding": "identity" },
    timeoutMs: HEAD_MS_MAX,
    idleMsMax: IDLE_MS_MAX,
    readBytesMax: ARCHIVE_BYTES_MAX,
    signal,
  });
  if (status === 200) return yield* body;
  for await (const _ of body) break;
  throw new SourceProblem(refusalOf(status, URL.parse(headers.location ?? "", origin)?.host));
}

function refusalOf(status: number, redirectedTo: string | undefined): string {
  if (status === 401) return "The other Kurz doesn't accept the token. It may have expired or been revoked.";
  if (status === 403) {
    return "The token may not export the account. It needs the scopes links:read, analytics:read and domains:read.";
  }
  if (status === 404)
    return "There is no Kurz at this address, or one that can't export accounts yet. Upgrade it first.";
  if (status >= 300 && status < 400) {
    return `The address redirects to ${redirectedTo ?? "another one"}. Enter the final one.`;
  }
  return `The other Kurz answered with status ${status}. Try again later.`;
}
