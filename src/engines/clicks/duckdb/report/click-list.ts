import { type ClickText, clickTexts, textGroups } from "../../click-format.ts";
import type { ClickListRequest, ListedClick } from "../../clicks-engine.ts";
import { readNewestFirst } from "../../newest-first.ts";
import { int, type Row, type Session } from "../session.ts";
import { clickConditions } from "./conditions.ts";

const SHAPES = textGroups.map(({ name }) => `${name}_no`).join(", ");
const texts = textGroups.flatMap((group) => group.texts.map(({ name }) => `${group.name}_texts.${name}`));
const joins = textGroups.map(
  ({ name, table }) => `left join ${table} ${name}_texts on ${name}_texts.no = c.${name}_no`,
);

/** Without the visitor, whom a list must not tell apart: clicks that look the same are interchangeable. */
const HASH = `hash(at_ms, link_no, bot, qr, ${SHAPES})`;

export function readClickList(session: Session, request: ClickListRequest): Promise<readonly ListedClick[]> {
  const { sql, counted, values } = clickConditions(request);
  return readNewestFirst(request, async ({ fromMs, toMs, after, limit }) => {
    const rest = after ? `and (at_ms < ${int(after.atMs)} or tie <= ${int(after.tie)})` : "";
    const rows = await session.rows(
      `select at_ms::double, link_no::double, bot, qr, tie::double, ${texts.join(", ")}
      from (
        select at_ms, link_no, bot, qr, ${SHAPES}, ${HASH} as hash, ${HASH} >> 32 as tie from clicks
        where at_ms >= ${int(fromMs)} and at_ms < ${int(toMs)} and ${sql} and ${counted} ${rest}
        order by at_ms desc, tie desc, hash desc limit ${int(limit)} offset ${int(after?.skip ?? 0)}
      ) c ${joins.join(" ")} order by at_ms desc, tie desc, hash desc`,
      values,
    );
    return rows.map(toListedClick);
  });
}

function toListedClick([atMs, linkNo, bot, qr, tie, ...values]: Row): ListedClick {
  return {
    at_ms: Number(atMs),
    link_no: Number(linkNo),
    bot: bot === true,
    source: qr === true ? "qr" : "link",
    tie: Number(tie),
    ...(Object.fromEntries(clickTexts.map((name, at) => [name, String(values[at] ?? "")])) as Record<
      ClickText,
      string
    >),
  };
}
