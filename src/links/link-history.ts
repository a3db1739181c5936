import { type Actor, describeActors, findCreatorOf } from "#audit/actors.ts";
import { placeOf } from "#audit/merged-log.ts";
import type {
  LinkHistoryQuery,
  LinkVersion,
  LinkVersionPage,
  RecordedFields,
  VersionAction,
} from "#contract/link-history.ts";
import type { Caller } from "#kernel/caller.ts";
import { toTimestamp } from "#kernel/clock.ts";
import type { LinkDeps } from "./link-deps.ts";
import { type LinkRow, toLink } from "./link-record.ts";
import { readRow } from "./link-rows.ts";
import { findVersion } from "./link-version.ts";
import { listVersionsBelow, type VersionRow } from "./link-versions.store.ts";

type Deps = Pick<LinkDeps, "records" | "clock" | "cursors" | "origin">;
type Described = (actor: string) => Actor | null;

/** What a new link has unless its creator says otherwise; everything else is null or empty then. */
const DEFAULTS: RecordedFields = {
  state: "active",
  password_protected: false,
  redirect_status: 302,
  forward_query: true,
  forward_path: false,
};

export function linkHistory({ records, clock, cursors, origin }: Deps) {
  /** The version that all recorded changes followed: as created, or as it was when histories began. */
  const firstOf = async (row: LinkRow, version: number, describe: Described, creator: string | null) => {
    if (version !== 1) return unknownVersion(version);
    const fields = await findVersion(records.read, { row, link: toLink(row, origin, clock()) }, 1);
    const set = Object.entries(fields ?? {}).filter(([name, value]) => !isDefault(name, value));
    return {
      ...unknownVersion(1),
      at: toTimestamp(row.created_at),
      action: "created",
      by: creator === null ? null : describe(creator),
      via: placeOf({ actor: creator ?? "", via: row.created_via, details: {} }) as LinkVersion["via"],
      after: Object.fromEntries(set),
    } satisfies LinkVersion;
  };

  return {
    async history(caller: Caller, id: string, query: LinkHistoryQuery): Promise<LinkVersionPage> {
      const row = await readRow(records, caller, id);
      const bound = { ...query, history: row.id };
      const below = query.cursor === undefined ? row.version + 1 : Number(cursors.decode(query.cursor, bound).value);
      const rows = await listVersionsBelow(records.read, row.no, below, query.limit + 1);
      const shown = rows.slice(0, query.limit);
      const last = shown.at(-1)?.version ?? below;
      // The oldest version has no row, and may be all that is left for the next page.
      const isLast = rows.length < query.limit;
      const first = isLast && last > 1 ? last - 1 : null;
      const creator =
        first === 1 ? (row.created_by ?? (await findCreatorOf(records.read, row.account_no, row.id))) : null;
      const actors = [...shown.map(({ actor }) => actor), ...(creator === null ? [] : [creator])];
      const described = await describeActors(records.read, row.account_no, actors);
      const describe: Described = (actor) => described.get(actor) ?? null;
      const data: LinkVersion[] = shown.map((version) => toVersion(version, describe));
      if (first !== null) data.push(await firstOf(row, first, describe, creator));
      return {
        data,
        has_more: !isLast,
        next_cursor: isLast ? null : cursors.encode({ value: last, no: row.no }, bound),
      };
    },
  };
}

function toVersion({ version, at, actor, via, action, reverted_to, ...row }: VersionRow, describe: Described) {
  const after = JSON.parse(row.after) as RecordedFields;
  const before = JSON.parse(row.before) as RecordedFields;
  return {
    version,
    at: toTimestamp(at),
    action: action as VersionAction,
    reverted_to,
    by: describe(actor),
    via: placeOf({ actor, via, details: {} }) as LinkVersion["via"],
    // It may have all fields.
    before: Object.fromEntries(Object.entries(before).filter(([field]) => field in after)),
    after,
  } satisfies LinkVersion;
}

const unknownVersion = (version: number): LinkVersion => ({
  version,
  at: null,
  action: "unknown",
  reverted_to: null,
  by: null,
  via: null,
  before: {},
  after: {},
});

const isDefault = (name: string, value: unknown): boolean => {
  if (name in DEFAULTS) return value === DEFAULTS[name as keyof RecordedFields];
  return value === null || (typeof value === "object" && Object.keys(value).length === 0);
};
