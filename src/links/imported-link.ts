import type { LiveState } from "#contract/link-record.ts";
import type { Sql } from "#engines/records/schema.ts";
import { newId } from "#kernel/ids.ts";
import { findDeletedById } from "./deleted-links.store.ts";
import type { LinkRow } from "./link-record.ts";
import type { StateFields } from "./link-state.ts";
import { insertVersion, type VersionRow } from "./link-versions.store.ts";
import { findLinkById, setUsedClicks } from "./links.store.ts";

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
  /** From the second version on, each once. */
  readonly history: readonly Omit<VersionRow, "link_no">[];
}

/** How a link is created by an import. */
export interface Arrival extends ImportedState {
  readonly sendsEvents: boolean;
  /** In the transaction that creates it. */
  onCreated(tx: Sql, row: LinkRow): Promise<void>;
}

/** The columns of a new link that an import may know better. */
export async function arrivedColumns(tx: Sql, { past, state, createdAt }: ImportedState, now: number) {
  return {
    id: past && !(await isIdTaken(tx, past.id)) ? past.id : newId("lnk"),
    version: past?.version ?? 1,
    created_at: Math.min(createdAt ?? now, now),
    updated_at: past?.updatedAt ?? now,
    ...stateOf(state, past, now),
  };
}

const stateOf = (state: LiveState, past: LinkPast | null, now: number): StateFields => ({
  state,
  state_before_archive: state === "archived" ? (past?.stateBeforeArchive ?? "active") : null,
  paused_at: past ? past.pausedAt : state === "paused" ? now : null,
  archived_at: state === "archived" ? (past?.archivedAt ?? now) : null,
});

const isIdTaken = async (tx: Sql, id: string): Promise<boolean> =>
  (await findLinkById(tx, id)) !== undefined || (await findDeletedById(tx, id)) !== undefined;

/** What else belongs to an imported link, once it is there. */
export async function settleArrival(tx: Sql, row: LinkRow, arrival: Arrival): Promise<LinkRow> {
  const { usedClicks, past } = arrival;
  if (usedClicks > 0) await setUsedClicks(tx, row.no, usedClicks);
  for (const version of past?.history ?? []) await insertVersion(tx, { ...version, link_no: row.no });
  await arrival.onCreated(tx, row);
  return { ...row, used_clicks: usedClicks };
}
