import type { ClickHouseSession } from "./clickhouse-session.ts";
import type { LinkNumber } from "./clicks-engine.ts";

/** Not a real link: stands for all of an account. */
const WHOLE_ACCOUNT = 0;

/** What was erased, with link 0 for all of an account. */
export type Erased = LinkNumber;

/** Erased links and accounts, kept in memory so that each batch asks for new ones only. */
export class ErasedNumbers {
  readonly #session: ClickHouseSession;
  readonly #links = new Map<number, Set<number>>();
  readonly #accounts = new Set<number>();
  #rows = -1;

  constructor(session: ClickHouseSession) {
    this.#session = session;
  }

  /** Asks for what any node has erased since the last call, and returns it. */
  async refresh(): Promise<readonly Erased[]> {
    const rows = await countErased(this.#session);
    if (rows === this.#rows) return [];
    const found = await this.#session.rows(
      `select account_no, link_no from erased_links union all select account_no, ${WHOLE_ACCOUNT} from erased_accounts`,
    );
    const added = found
      .map(([accountNo, linkNo]) => ({ accountNo: Number(accountNo), linkNo: Number(linkNo) }))
      .filter(({ accountNo, linkNo }) => !this.has(accountNo, linkNo));
    for (const { accountNo, linkNo } of added) {
      if (linkNo === WHOLE_ACCOUNT) this.#accounts.add(accountNo);
      else this.#addLink(accountNo, linkNo);
    }
    this.#rows = rows;
    return added;
  }

  get isEmpty(): boolean {
    return this.#links.size === 0 && this.#accounts.size === 0;
  }

  has(accountNo: number, linkNo: number): boolean {
    return this.#accounts.has(accountNo) || this.#links.get(accountNo)?.has(linkNo) === true;
  }

  #addLink(accountNo: number, linkNo: number): void {
    const links = this.#links.get(accountNo) ?? new Set();
    this.#links.set(accountNo, links.add(linkNo));
  }
}

/** Grows with every erasure. */
export async function countErased(session: ClickHouseSession): Promise<number> {
  const [row] = await session.rows("select (select count() from erased_links) + (select count() from erased_accounts)");
  return Number(row?.[0]);
}
