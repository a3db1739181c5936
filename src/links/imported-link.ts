import { isDeepStrictEqual } from "node:util";
import type { Link, LiveState } from "#contract/link-record.ts";
import type { Sql } from "#engines/records/schema.ts";
import type { Caller } from "#kernel/caller.ts";
import { newId } from "#kernel/ids.ts";
import { findDeletedById } from "./deleted-links.store.ts";
import type { LinkFields } from "./link-fields.ts";
import type { LinkRow } from "./link-record.ts";
import type { StateFields } from "./link-state.ts";
import { appendVersion } from "./link-version.ts";
import { insertVersion, type VersionRow } from "./link-versions.store.ts";
import { findLinkById, setArrivedCounts } from "./links.store.ts";

/** What an import knows of a link beside the fields of a new one. */
export interface ImportedState {
  readonly state: LiveState;
  readonly createdAt: number | null;
  readonly usedClicks: number;
  /** Only of a link that was on another Kurz. */
  readonly past: LinkPast | null;
}

/** What a link had on another Kurz, and has again after moving here. */
export interface LinkPast {
  /** Kept if no link here has it. */
  readonly id: string;
  readonly version: number;
  readonly updatedAt: number;
  readonly stateBeforeArchive: LiveState | null;
  readonly pausedAt: number | null;
  readonly archivedAt: number | null;
  /** Counts only tell the quarter of an hour. `null` if clicks stay behind. */
  readonly lastClickedAt: number | null;
  /** From the second version on, each once. */
  readonly history: readonly Omit<VersionRow, "link_no">[];
  /** What moving may change, as it was there. */
  readonly was: Pick<Link, "state" | "blocked" | "password_protected" | "tags">;
}

/** How a link is created by an import. */
export interface Arrival extends ImportedState {
  readonly sendsEvents: boolean;
  /** In the transaction that creates it. */
  onCreated(tx: Sql, row: LinkRow): Promise<void>;
}

/** The columns of a new link that an import may know better. */
export async function arrivedColumns(
  tx: Sql,
  { past, state, createdAt }: ImportedState,
  { tags }: Pick<LinkFields, "tags">,
  now: number,
) {
  const is: LinkPast["was"] = { state, blocked: null, password_protected: false, tags: [...tags] };
  const isAsItWas = past !== null && isDeepStrictEqual(past.was, is);
  return {
    id: past && !(await isIdTaken(tx, past.id)) ? past.id : newId("lnk"),
    // What moving changes is a version of its own: those before it stay what they were.
    version: past ? past.version + (isAsItWas ? 0 : 1) : 1,
    created_at: Math.min(createdAt ?? now, now),
    updated_at: isAsItWas ? past.updatedAt : now,
    ...stateOf(state, past, now),
  };
}

function stateOf(state: LiveState, past: LinkPast | null, now: number): StateFields {
  const before = state === "archived" ? (past?.stateBeforeArchive ?? "active") : null;
  const isPaused = state === "paused" || before === "paused";
  return {
    state,
    state_before_archive: before,
    paused_at: isPaused ? (past?.pausedAt ?? now) : null,
    archived_at: state === "archived" ? (past?.archivedAt ?? now) : null,
  };
}

const isIdTaken = async (tx: Sql, id: string): Promise<boolean> =>
  (await findLinkById(tx, id)) !== undefined || (await findDeletedById(tx, id)) !== undefined;

/** What else belongs to an imported link, once it is there. */
export async function settleArrival(tx: Sql, row: LinkRow, arrival: Arrival, now: number): Promise<LinkRow> {
  const { usedClicks, past } = arrival;
  const counts = { used_clicks: usedClicks, last_clicked_at: Math.min(past?.lastClickedAt ?? 0, now) };
  if (counts.used_clicks > 0 || counts.last_clicked_at > 0) await setArrivedCounts(tx, row.no, counts);
  for (const version of past?.history ?? []) await insertVersion(tx, { ...version, link_no: row.no });
  await arrival.onCreated(tx, row);
  return { ...row, ...counts };
}

interface Arrived {
  readonly row: LinkRow;
  readonly link: Link;
  readonly past: LinkPast | null;
  readonly at: number;
}

/** Records what moving has changed, if it has: by whom the link moved here. */
export async function appendMove(tx: Sql, by: Caller, { row, link, past, at }: Arrived): Promise<void> {
  if (!past || row.version === past.version) return;
  await appendVersion(tx, {
    by,
    at,
    action: past.was.state === link.state ? "updated" : "paused",
    from: { row: { ...row, version: past.version }, link: { ...link, ...past.was } },
    to: { row, link },
  });
}
