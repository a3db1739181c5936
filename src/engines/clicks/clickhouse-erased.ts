import type { ClickHouseSession } from "./clickhouse-session.ts";

/** Erased links and accounts, kept in memory so that each batch asks for new ones only. */
export class ErasedNumbers {
  readonly #session: ClickHouseSession;
  readonly #links = new Map<number, Set<number>>();
  readonly #accounts = new Set<number>();
  #rows = -1;

  constructor(session: ClickHouseSession) {
    this.#session = session;
  }

  /** Call before each batch: another node may have erased links since the last one. */
  async refresh(): Promise<void> {
    const [row] = await this.#session.rows(
      "select (select count() from erased_links) + (select count() from erased_accounts)",
    );
    const rows = Number(row?.[0]);
    if (rows === this.#rows) return;
    const found = await this.#session.rows(
      "select account_no, link_no from erased_links union all select account_no, 0 from erased_accounts",
    );
    for (const [accountNo, linkNo] of found) {
      if (linkNo === 0) this.#accounts.add(Number(accountNo));
      else this.#addLink(Number(accountNo), Number(linkNo));
    }
    this.#rows = rows;
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
