import type { LinkNumber } from "../clicks-engine.ts";
import type { ClickHouseSession } from "./session.ts";

/** Not a real link: stands for all of an account. */
const WHOLE_ACCOUNT = 0;

/** A row noted this long before another one may become visible after it. */
const LATE = "interval 1 hour";

/** What was erased, with link 0 for all of an account. */
export type Erased = LinkNumber;

/** Erased links and accounts, kept in memory so that each batch asks for new ones only. */
export class ErasedNumbers {
  readonly #session: ClickHouseSession;
  readonly #links = new Map<number, Set<number>>();
  readonly #accounts = new Set<number>();
  /** In the order in which they were found. */
  readonly #found: Erased[] = [];
  #rows = 0;
  /** The time of the newest one that was read. */
  #newest = "1970-01-01 00:00:00.000";

  constructor(session: ClickHouseSession) {
    this.#session = session;
  }

  /** Asks for what any node has erased since the last call. Returns a position for `since`. */
  async refresh(): Promise<number> {
    const rows = await countErased(this.#session);
    if (rows !== this.#rows) {
      const isNew = `at >= toDateTime64({newest:String}, 3, 'UTC') - ${LATE}`;
      const found = await this.#session.rows(
        `select account_no, link_no, toString(at) from erased_links where ${isNew}
        union all select account_no, ${WHOLE_ACCOUNT}, toString(at) from erased_accounts where ${isNew}`,
        { values: { newest: this.#newest } },
      );
      for (const [accountNo, linkNo, at] of found) {
        this.#add({ accountNo: Number(accountNo), linkNo: Number(linkNo) });
        if (String(at) > this.#newest) this.#newest = String(at);
      }
      this.#rows = rows;
    }
    return this.#found.length;
  }

  /** What was found after the call of `refresh` that returned this position, whoever made the later calls. */
  since(position: number): readonly Erased[] {
    return this.#found.slice(position);
  }

  get isEmpty(): boolean {
    return this.#found.length === 0;
  }

  has(accountNo: number, linkNo: number): boolean {
    return this.#accounts.has(accountNo) || this.#links.get(accountNo)?.has(linkNo) === true;
  }

  #add(erased: Erased): void {
    const { accountNo, linkNo } = erased;
    if (this.has(accountNo, linkNo)) return;
    this.#found.push(erased);
    if (linkNo === WHOLE_ACCOUNT) this.#accounts.add(accountNo);
    else this.#links.set(accountNo, (this.#links.get(accountNo) ?? new Set()).add(linkNo));
  }
}

/** Grows with every erasure. */
export async function countErased(session: ClickHouseSession): Promise<number> {
  const [row] = await session.rows("select (select count() from erased_links) + (select count() from erased_accounts)");
  return Number(row?.[0]);
}
