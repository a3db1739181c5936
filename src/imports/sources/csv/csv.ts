import { type ImportItem, type ImportSource, type ReadContext, SourceProblem } from "../../import-source.ts";
import { findCountColumns, findLinkColumns, requireCountColumns, requireLinkColumns } from "./csv-columns.ts";
import { readCounts } from "./csv-counts.ts";
import { openCsv } from "./csv-head.ts";
import { readLink } from "./csv-link.ts";
import { LinksByAddress } from "./csv-source-id.ts";
import { tagSplitter } from "./csv-tags.ts";
import { clicksLine, UnknownValues } from "./unknown-values.ts";

/** A file with a link per row, and maybe another with clicks by link and day. */
export const csv: ImportSource = {
  title: "CSV file",
  needsToken: false,
  place: "file",
  async *read(context) {
    const countsFile = context.withClicks ? context.countsFile : null;
    const hosts = new Set<string>();
    const links = new LinksByAddress();
    for await (const item of readLinks(context)) {
      if (item.type === "link" && countsFile !== null) {
        const { host, slug } = item.link;
        // One is what rows without a host are on; of more, it is enough to know that.
        if (hosts.size < 2 && host !== "" && slug !== "") hosts.add(host);
        links.add(item.link, item.link.fields.destination_url, item.link.sourceId);
      }
      yield item;
    }
    if (countsFile !== null) yield* readClicks(context, countsFile, [...hosts], links);
  },
};

async function* readLinks({ file, columns: chosen, timeZone, signal }: ReadContext): AsyncGenerator<ImportItem> {
  if (file === null) throw new SourceProblem("Name the CSV file to import.");
  const { head, rows } = await openCsv(file, signal);
  const columns = findLinkColumns(head, chosen);
  requireLinkColumns(head, columns);
  const options = { timeZone, splitTags: tagSplitter(head) };
  for await (const some of rows) {
    for (const row of some) {
      const read = "problem" in row ? row : readLink(columns, row.cells, options);
      yield "problem" in read
        ? { type: "unreadable", line: String(row.line), where: `line ${row.line}`, why: read.problem }
        : { type: "link", link: { ...read.link, line: row.line } };
    }
  }
}

async function* readClicks(
  { timeZone, signal, countsFrom: from }: ReadContext,
  file: string,
  hosts: readonly string[],
  links: LinksByAddress,
): AsyncGenerator<ImportItem> {
  const { head, rows } = await openCsv(file, signal);
  const columns = findCountColumns(head);
  requireCountColumns(head, columns);
  if (hosts.length > 1 && !columns.has("domain") && !columns.has("short_url")) {
    throw new SourceProblem(
      'The links are on several domains, so the file with clicks needs a column "domain" or "short_url".',
    );
  }
  const unknown = new UnknownValues();
  const options = { timeZone, host: hosts[0] ?? "", from, links };
  for await (const some of rows) {
    for (const row of some) {
      const read = "problem" in row ? row : readCounts(columns, row.cells, options);
      if (read === null) continue;
      if ("problem" in read) {
        const line = clicksLine(row.line);
        yield { type: "unreadable", line, where: `line ${line}`, why: read.problem };
        continue;
      }
      for (const value of read.unknown) unknown.add(value, row.line);
      yield { type: "counts", counts: read.counts };
    }
  }
  yield* unknown.notes();
}
