import type { LinkNumber } from "../clicks-engine.ts";
import { chunksOf } from "./chunks.ts";
import { type ClickHouseSession, int, type Row } from "./session.ts";

/** Not a real link: stands for all of an account. */
const WHOLE_ACCOUNT = 0;

/** A row noted this long before another one may become visible after it. */
const LATE = "interval 1 hour";

/** Some 15 MB. Beyond that, the server is asked about the links of each batch. */
export const ERASED_KEPT_MAX = 100_000;

/** What was erased, with link 0 for all of an account. */
export type Erased = LinkNumber;

/** What was erased when some links were looked up. */
export interface ErasedLook {
  /** Answers for those links only; `null` if nothing was ever erased. */
  readonly isErased: ((accountNo: number, linkNo: number) => boolean) | null;
  /** What any node has erased since, of those links and perhaps of others. */
  findAdded(): Promise<readonly Erased[]>;
}

/**
 * Erased links and accounts, of all nodes. While there are few, they are kept in memory, so that each batch asks for new
 * ones only. A deployment deletes links for years, though, so the memory is bounded.
 */
export class ErasedNumbers {
  readonly #session: ClickHouseSession;
  readonly #keptMax: number;
  #kept = new KeptNumbers();

  constructor(session: ClickHouseSession, keptMax = ERASED_KEPT_MAX) {
    this.#session = session;
    this.#keptMax = keptMax;
  }

  /** `linksOf` is only called if the server has to be asked about them. */
  async look(linksOf: () => Promise<readonly LinkNumber[]>): Promise<ErasedLook> {
    const kept = await this.#refresh();
    if (kept === null) return this.#ask(await linksOf());
    const position = kept.found.length;
    return {
      isErased: position === 0 ? null : (accountNo, linkNo) => kept.has(accountNo, linkNo),
      findAdded: async () =>
        // Whoever has read what was added, it is behind the position.
        (await this.#refresh()) === kept ? kept.found.slice(position) : (await this.#ask(await linksOf())).found,
    };
  }

  /** Reads what any node has erased since the last call; `null` if that is too much to keep. */
  async #refresh(): Promise<KeptNumbers | null> {
    const rows = await countErased(this.#session);
    if (rows > this.#keptMax) {
      this.#kept = new KeptNumbers();
      return null;
    }
    const kept = this.#kept;
    if (rows !== kept.rows) {
      const isNew = `at >= toDateTime64({newest:String}, 3, 'UTC') - ${LATE}`;
      const found = await this.#session.rows(
        `select account_no, link_no, toString(at) from erased_links where ${isNew}
        union all select account_no, ${WHOLE_ACCOUNT}, toString(at) from erased_accounts where ${isNew}`,
        { values: { newest: kept.newest } },
      );
      kept.addRead(found, rows);
    }
    return kept;
  }

  async #ask(links: readonly LinkNumber[]): Promise<ErasedLook & { readonly found: readonly Erased[] }> {
    const before = new KeptNumbers();
    for (const chunk of chunksOf(links)) {
      const pairs = chunk.map(({ accountNo, linkNo }) => `(${int(accountNo)}, ${int(linkNo)})`).join(", ");
      const accounts = [...new Set(chunk.map(({ accountNo }) => int(accountNo)))].join(", ");
      const rows = await this.#session.rows(
        `select account_no, link_no from erased_links where (account_no, link_no) in (${pairs})
        union all select account_no, ${WHOLE_ACCOUNT} from erased_accounts where account_no in (${accounts})`,
      );
      for (const [accountNo, linkNo] of rows) before.add({ accountNo: Number(accountNo), linkNo: Number(linkNo) });
    }
    return {
      found: before.found,
      isErased: (accountNo, linkNo) => before.has(accountNo, linkNo),
      findAdded: async () =>
        (await this.#ask(links)).found.filter(({ accountNo, linkNo }) => !before.has(accountNo, linkNo)),
    };
  }
}

const NEVER = "1970-01-01 00:00:00.000";

/** Erased numbers together with how far they were read, so that neither is ever without the other. */
class KeptNumbers {
  readonly #links = new Map<number, Set<number>>();
  readonly #accounts = new Set<number>();
  /** In the order in which they were added. */
  readonly found: Erased[] = [];
  #rows = 0;
  #newest = NEVER;

  /** How many rows there were at least when they were read. */
  get rows(): number {
    return this.#rows;
  }

  /** The time of the newest one that was read. */
  get newest(): string {
    return this.#newest;
  }

  has(accountNo: number, linkNo: number): boolean {
    return this.#accounts.has(accountNo) || this.#links.get(accountNo)?.has(linkNo) === true;
  }

  /** Adds what was read after so many rows were counted. Another one may have read further meanwhile. */
  addRead(found: readonly Row[], rows: number): void {
    for (const [accountNo, linkNo, at] of found) {
      this.add({ accountNo: Number(accountNo), linkNo: Number(linkNo) });
      if (String(at) > this.#newest) this.#newest = String(at);
    }
    this.#rows = Math.max(this.#rows, rows);
  }

  add(erased: Erased): void {
    const { accountNo, linkNo } = erased;
    if (this.has(accountNo, linkNo)) return;
    this.found.push(erased);
    if (linkNo === WHOLE_ACCOUNT) this.#accounts.add(accountNo);
    else this.#links.set(accountNo, (this.#links.get(accountNo) ?? new Set()).add(linkNo));
  }
}

/** Grows with every erasure. */
export async function countErased(session: ClickHouseSession): Promise<number> {
  const [row] = await session.rows("select (select count() from erased_links) + (select count() from erased_accounts)");
  return Number(row?.[0]);
}
