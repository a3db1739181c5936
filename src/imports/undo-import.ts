import { queueOf } from "#links/account-queue.ts";
import { type ImportDeps, type ImportWork, Pace, saveImport } from "./import-work.ts";
import { type ImportRow, listCreated } from "./imports.store.ts";

const LINKS_A_SLICE = 50;

/** Erases what is left of the links that an import has created, with their clicks; also those in the trash. */
export async function undoLinks(deps: ImportDeps, work: ImportWork): Promise<ImportRow> {
  const { records, links, clock } = deps;
  const { caller, signal } = work;
  let { row } = work;
  const pace = new Pace();
  for (;;) {
    const { progress, options } = row;
    const slice = await records.write(async (tx) => {
      const ids = await listCreated(tx, row.no, LINKS_A_SLICE);
      for (const id of ids) await links.takeBack(caller, id, options)(tx, clock());
      if (ids.length === 0) return null;
      return saveImport(tx, deps, row, { progress: { ...progress, erased: progress.erased + ids.length } });
    }, queueOf(caller));
    if (slice === null) return row;
    row = slice;
    await pace.rest(signal);
  }
}
