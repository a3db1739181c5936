import type { ClickPage, ClickQuery, ListedClick as ShownClick } from "#contract/clicks.ts";
import type { FieldError } from "#contract/errors.ts";
import type { ClickListRequest, ClickPlace, ClicksEngine, ListedClick } from "#engines/clicks/clicks-engine.ts";
import { toPublicClick } from "#engines/clicks/public-click.ts";
import type { Records } from "#engines/records/records.ts";
import { validationFailed } from "#kernel/api-error.ts";
import type { Caller } from "#kernel/caller.ts";
import type { Clock } from "#kernel/clock.ts";
import type { CursorCodec } from "#links/link-cursor.ts";
import { addressOf, type ShortOrigin } from "#links/link-record.ts";
import { whenAvailable } from "./analytics.service.ts";
import { findClickedLinks, getAccountCreatedMs } from "./analytics.store.ts";
import { accountFilters } from "./click-filters.ts";
import { judgeRange, rangeOfAll } from "./period.ts";

interface Deps {
  readonly records: Records;
  readonly clicks: Pick<ClicksEngine, "listClicks" | "findOutside">;
  readonly clock: Clock;
  readonly origin: ShortOrigin;
  readonly cursors: CursorCodec;
}

type Request = Omit<ClickListRequest, "after" | "limit">;

const STREAM_PAGE = 1000;

/** Single clicks, newest first. */
export function clickListService({ records, clicks, clock, origin, cursors }: Deps) {
  async function requestOf({ accountNo }: Caller, query: ClickQuery): Promise<Request> {
    const nowMs = clock();
    const asked = judgeRange(query, { nowMs, createdMs: nowMs });
    if (Array.isArray(asked)) throw validationFailed(asked);
    const scope = { accountNo, linkNo: null };
    const filters = await accountFilters(query, { records, accountNo, ownDomain: origin.domain });
    const { fromMs, toMs } = query.interval === "all" ? await wholeRange(scope, nowMs) : asked;
    return { ...scope, fromMs, toMs, filters, includeBots: query.include_bots };
  }

  async function wholeRange(scope: { readonly accountNo: number; readonly linkNo: null }, nowMs: number) {
    const createdMs = await getAccountCreatedMs(records.read, scope.accountNo);
    const strays = await whenAvailable(clicks.findOutside(scope, rangeOfAll({ nowMs, createdMs })));
    return rangeOfAll({ nowMs, createdMs, strays });
  }

  const placeOf = (query: ClickQuery): ClickPlace | null => {
    if (query.cursor === undefined) return null;
    const { value, no } = cursors.decode(query.cursor, boundTo(query));
    return { atMs: Number(value), tie: Math.floor(no / SKIPS), skip: no % SKIPS };
  };

  async function show(found: readonly ListedClick[], accountNo: number): Promise<ShownClick[]> {
    const numbers = [...new Set(found.map(({ link_no }) => link_no))];
    const rows = await findClickedLinks(records.read, accountNo, numbers);
    const links = new Map(rows.map(({ no, id, ...row }) => [no, { id, ...addressOf(row, origin) }]));
    return found.flatMap((click) => {
      const link = links.get(click.link_no);
      // A link that was just erased still has clicks for a moment.
      return link ? [{ ...toPublicClick(click), bot: click.bot, link }] : [];
    });
  }

  return {
    /** Problems of a query beyond the contract. */
    findProblems(query: ClickQuery): FieldError[] {
      const nowMs = clock();
      const judged = judgeRange(query, { nowMs, createdMs: nowMs });
      return Array.isArray(judged) ? judged : [];
    },

    async list(caller: Caller, query: ClickQuery): Promise<ClickPage> {
      const request = await requestOf(caller, query);
      const after = placeOf(query);
      const found = await whenAvailable(clicks.listClicks({ ...request, after, limit: query.limit + 1 }));
      const shown = found.slice(0, query.limit);
      const place = found.length > shown.length ? placeBehind(shown, after) : null;
      return {
        data: await show(shown, caller.accountNo),
        has_more: place !== null,
        next_cursor: place && cursors.encode({ value: place.atMs, no: place.tie * SKIPS + place.skip }, boundTo(query)),
      };
    },

    /** All clicks, one JSON object per line. Reads a page at a time, so no client holds up the engine. */
    async *stream(caller: Caller, query: ClickQuery): AsyncGenerator<string> {
      const request = await requestOf(caller, query);
      for (let after = placeOf(query), isFirst = true; ; isFirst = false) {
        const found = await whenAvailable(clicks.listClicks({ ...request, after, limit: STREAM_PAGE }));
        const shown = await show(found, caller.accountNo);
        if (isFirst || shown.length > 0) yield shown.map((click) => `${JSON.stringify(click)}\n`).join("");
        if (found.length < STREAM_PAGE) return;
        after = placeBehind(found, after);
      }
    },
  };
}
export type ClickListService = ReturnType<typeof clickListService>;

/** A list can be continued in another format. */
const boundTo = ({ format: _, ...query }: ClickQuery) => query;

/** A cursor has two numbers: the second one has the tie, which has 32 bits, and how many clicks to skip. */
const SKIPS = 2 ** 20;

/** Behind the last of some clicks, of which the first came after a place. */
function placeBehind(found: readonly ListedClick[], after: ClickPlace | null): ClickPlace | null {
  const last = found.at(-1);
  if (!last) return after;
  const isSame = (place: { readonly tie: number; readonly atMs: number }): boolean =>
    place.atMs === last.at_ms && place.tie === last.tie;
  const skip = found.filter(({ at_ms: atMs, tie }) => isSame({ atMs, tie })).length;
  return { atMs: last.at_ms, tie: last.tie, skip: skip + (after && isSame(after) ? after.skip : 0) };
}
