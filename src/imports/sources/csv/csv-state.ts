import type { ImportedLink } from "../../import-source.ts";
import { flag } from "./csv-flag.ts";

type State = ImportedLink["state"];
type StateField = (typeof FIELDS)[number];

const FIELDS = ["state", "archived", "paused"] as const;

/** What services call the states of links. */
const words: Readonly<Record<State, RegExp>> = {
  archived: /^(?:archived?|deleted|removed|trashed)$/i,
  paused: /^(?:paused|disabled|inactive|deactivated|off|banned|blocked|suspended|expired|0|false|no)$/i,
  active: /^(?:active|enabled|live|on|1|true|yes)$/i,
};
const EMPTY = /^(?:null|none)?$/i;

/** With the fields that say nothing we know. Such a link is paused: one that was off must not go live unnoticed. */
export function readState(cell: (field: StateField) => string): { state: State; unknown: StateField[] } {
  const said = FIELDS.filter((field) => !EMPTY.test(cell(field))).map((field) => ({
    field,
    state: field === "state" ? stateOf(cell(field)) : stateOfFlag(field, cell(field)),
  }));
  const has = (wanted: State | undefined): boolean => said.some(({ state }) => state === wanted);
  const unknown = said.filter(({ state }) => state === undefined).map(({ field }) => field);
  if (has("archived")) return { state: "archived", unknown: [] };
  return { state: has("paused") || unknown.length > 0 ? "paused" : "active", unknown };
}

const stateOf = (word: string): State | undefined =>
  (Object.keys(words) as State[]).find((state) => words[state].test(word));

function stateOfFlag(field: "archived" | "paused", text: string): State | undefined {
  const isSet = flag(text);
  if (isSet === undefined) return undefined;
  return isSet ? field : "active";
}
