import { type ImportItem, SourceProblem } from "./import-source.ts";
import type { ImportDeps, ImportWork } from "./import-work.ts";
import { ImportFailed, Pace } from "./import-work.ts";
import type { ImportProblem } from "./problem-list.ts";
import { LineWriter, makeSpool } from "./spool.ts";

export const LINKS_MAX = 1_000_000;
const UNREADABLE_MAX = 10_000;
const SPOOL_BYTES_MAX = 8 * 1024 ** 3;
const SOURCE_ID_CHARACTERS_MAX = 500;
/** How long it may keep the event loop busy. */
const TURN_MS = 10;
const CHECK_EVERY = 50;

interface Read {
  readonly links: number;
  readonly counts: number;
  readonly unreadable: number;
  readonly notes: number;
}

/** Copies everything that the source has to the spool: a check and a run see the same, and need no token. */
export async function readImport(
  { sources, client }: ImportDeps,
  { row, spool, signal }: ImportWork,
  token: string,
  onProgress: (read: Read) => Promise<void>,
): Promise<Read> {
  const { options } = row;
  const source = sources[row.source];
  if (!source) throw new ImportFailed(`There is no source "${row.source}".`);
  makeSpool(spool);
  const writers = {
    links: new LineWriter(spool.links),
    counts: new LineWriter(spool.counts),
    extras: new LineWriter(spool.extras),
    unreadable: new LineWriter(spool.unreadable),
  };
  const read = { links: 0, counts: 0, unreadable: 0, notes: 0 };
  const { url, file, countsFile, columns, withClicks, countsFrom, timeZone } = options;
  const context = { client, signal, url, token, file, countsFile, columns, withClicks, countsFrom, timeZone };
  const pace = new Pace();
  let turnMs = performance.now();
  let items = 0;
  try {
    for await (const item of source.read(context)) {
      store(item, writers, read, withClicks);
      items += 1;
      if (items % CHECK_EVERY !== 0 || performance.now() - turnMs < TURN_MS) continue;
      if (Object.values(writers).reduce((sum, { bytes }) => sum + bytes, 0) > SPOOL_BYTES_MAX) {
        throw new SourceProblem("There is more than fits into one import. Split it into several.");
      }
      await onProgress(read);
      await pace.rest(signal);
      turnMs = performance.now();
    }
    for (const writer of Object.values(writers)) writer.finish();
    return read;
  } catch (error) {
    for (const writer of Object.values(writers)) writer.close();
    throw error;
  }
}

type Writers = Readonly<Record<"links" | "counts" | "extras" | "unreadable", LineWriter>>;

function store(item: ImportItem, writers: Writers, read: Record<keyof Read, number>, withClicks: boolean): void {
  const { links, counts, extras, unreadable } = writers;
  switch (item.type) {
    case "link": {
      const { sourceId, host, slug } = item.link;
      if (sourceId.length > SOURCE_ID_CHARACTERS_MAX) {
        const where = `${host}/${slug}`.slice(0, SOURCE_ID_CHARACTERS_MAX);
        store({ type: "unreadable", where, why: "Its id is too long." }, writers, read, withClicks);
        return;
      }
      read.links += 1;
      if (read.links > LINKS_MAX)
        throw new SourceProblem(`An import can have at most ${LINKS_MAX} links. Split it into several.`);
      links.write(item.link);
      return;
    }
    case "unreadable": {
      read.unreadable += 1;
      if (read.unreadable > UNREADABLE_MAX) {
        throw new SourceProblem(
          `More than ${UNREADABLE_MAX} rows can't be read; the last one is ${item.where}: ${item.why}`,
        );
      }
      const { line = "", where, why } = item;
      unreadable.write(lineOf({ line, where: line === "" ? where : "", code: "unreadable", message: why }));
      return;
    }
    case "tag":
    case "utm_template":
      extras.write(item);
      return;
    case "step":
      read.notes += 1;
      unreadable.write(lineOf({ line: "", where: item.where, code: "next_step", message: item.what }));
      return;
    case "note":
      read.notes += 1;
      unreadable.write(lineOf({ line: item.line, where: "", code: "unknown_value", message: item.what }));
      return;
    default: {
      if (!withClicks) return;
      read.counts += 1;
      counts.write(item);
    }
  }
}

const lineOf = (problem: Omit<ImportProblem, "destination">): ImportProblem => ({ ...problem, destination: "" });
