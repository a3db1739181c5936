import type { Sql } from "#engines/records/schema.ts";
import { findAccountNames, findLinkCreator } from "./audit.store.ts";
import { idOf } from "./merged-log.ts";

/** Who did something, as in `token:<id>`, for people. */
export interface Actor {
  readonly type: "token" | "user" | "operator" | "blocklist" | "system";
  readonly id: string | null;
  readonly name: string | null;
}

/** Tokens and people that are deleted by now have no name. */
export async function describeActors(
  sql: Sql,
  accountNo: number,
  actors: readonly string[],
): Promise<ReadonlyMap<string, Actor>> {
  const ids = actors.filter((actor) => actor.includes(":") && !actor.startsWith(ELSEWHERE)).map(idOf);
  const names = await findAccountNames(sql, accountNo, [...new Set(ids)]);
  return new Map(actors.map((actor) => [actor, toActor(actor, names)]));
}

/** Marks who did something on another Kurz: nobody here, whatever an archive says. */
const ELSEWHERE = "elsewhere/";
const NAME_CHARACTERS_MAX = 255;

/** As it is stored of someone on another Kurz. */
export const actorElsewhere = ({ type, name }: Pick<Actor, "type" | "name">): string =>
  `${ELSEWHERE}${type}:${(name ?? "").replaceAll(/\p{Cc}+/gu, " ").slice(0, NAME_CHARACTERS_MAX)}`;

function toActor(actor: string, names: ReadonlyMap<string, string>): Actor {
  if (actor.startsWith(ELSEWHERE)) {
    const [type] = actor.slice(ELSEWHERE.length).split(":", 1);
    return { type: type as Actor["type"], id: null, name: idOf(actor) || null };
  }
  const type = actor.split(":", 1)[0] as Actor["type"];
  if (type === actor) return { type, id: null, name: null };
  const id = idOf(actor);
  return { type, id, name: names.get(id) ?? null };
}

/** For links that don't say it themselves; `null` if that isn't kept any more. */
export const findCreatorOf = async (sql: Sql, accountNo: number, linkId: string): Promise<string | null> =>
  (await findLinkCreator(sql, accountNo, linkId))?.actor ?? null;
