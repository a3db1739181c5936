import { existsSync, readFileSync } from "node:fs";
import { type DataPaths, dataPaths } from "#config/data-paths.ts";
import { enginePlaces } from "#config/engine-places.ts";
import type { Config } from "#config/settings.ts";
import type {
  ClicksFilePlace,
  ClicksPlace,
  ClicksServerPlace,
  RecordsFilePlace,
  RecordsPlace,
  RecordsServerPlace,
} from "#engines/places.ts";
import { OperatorMistake } from "#kernel/operator-mistake.ts";

/** Of a deployment that has everything in its data directory. */
export interface RecordsMovePlaces {
  readonly what: "records";
  readonly from: { readonly records: RecordsFilePlace; readonly clicks: ClicksFilePlace };
  readonly to: { readonly records: RecordsServerPlace; readonly clicks: ClicksPlace };
}

/** Of a deployment whose records are on a server already. */
export interface ClicksMovePlaces {
  readonly what: "clicks alone";
  readonly records: RecordsServerPlace;
  readonly from: ClicksFilePlace;
  readonly to: ClicksServerPlace;
}

/** What is moved follows from what is in the data directory now. */
export function findMovePlaces(config: Config, target: Config): RecordsMovePlaces | ClicksMovePlaces {
  if (config.demo || target.demo)
    throw new OperatorMistake("a demo can't be moved: it deletes its data from time to time");
  const from: { records: RecordsPlace; clicks: ClicksPlace } = enginePlaces(config);
  const to: { records: RecordsPlace; clicks: ClicksPlace } = enginePlaces(target);
  if ("url" in from.clicks) {
    throw new OperatorMistake(
      "the data to move must be in the data directory: unset CLICKHOUSE_URL, and put it into the file of --to, " +
        "as well as DATABASE_URL, unless the records are on a server already",
    );
  }
  if (!("url" in to.records)) {
    throw new OperatorMistake("the file of --to doesn't set DATABASE_URL, so there is nowhere to move to");
  }
  if (dataPaths(target.dataDir).clicks !== dataPaths(config.dataDir).clicks) {
    throw new OperatorMistake(
      `the journal ${"url" in to.clicks ? "stays" : "and the clicks stay"} in the data directory ${config.dataDir}, ` +
        `so KURZ_DATA_DIR in the file of --to must be the same, not ${target.dataDir}`,
    );
  }
  if (!("url" in from.records)) {
    return {
      what: "records",
      from: { records: from.records, clicks: from.clicks },
      to: { records: to.records, clicks: to.clicks },
    };
  }
  const fromDirectory =
    "to move the records from the data directory, unset DATABASE_URL and put it into the file of --to";
  if (!("url" in to.clicks)) {
    throw new OperatorMistake(
      "DATABASE_URL is set, so the records are on a server already, and the file of --to doesn't set CLICKHOUSE_URL " +
        `for the clicks; ${fromDirectory}`,
    );
  }
  if (to.records.url !== from.records.url) {
    throw new OperatorMistake(
      "DATABASE_URL is set, so only clicks can be moved, but the file of --to sets another one; leave it out there, " +
        `or, ${fromDirectory}`,
    );
  }
  return { what: "clicks alone", records: from.records, from: from.clicks, to: to.clicks };
}

/** With another key nobody could sign in with a second factor, no webhook could be signed, and all sessions would end. */
export function refuseOtherKey(config: Config, paths: DataPaths, target: Config): void {
  const isOwn = config.secretKey === null;
  const key = isOwn ? readOwnKey(paths) : config.secretKey;
  if (key === null || key === target.secretKey) return;
  const where = isOwn ? `the content of ${paths.secretKey}` : "the key that the server has now";
  throw new OperatorMistake(
    `KURZ_SECRET_KEY must be ${where} after the move, too: without it, stored secrets can't be decrypted`,
  );
}

const readOwnKey = ({ secretKey }: DataPaths): string | null =>
  existsSync(secretKey) ? readFileSync(secretKey, "utf8").trim() : null;
