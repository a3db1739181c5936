import type { DuckDBConnection } from "@duckdb/node-api";
import { ClicksUnavailable } from "../clicks-engine.ts";
import { inTransaction, type Session, sessionOn } from "./session.ts";

// DuckDB ignores an interrupt while no statement runs, so it is repeated until the work stops.
const INTERRUPT_EVERY_MS = 20;

/** A series of reads from one snapshot that can be aborted. */
export class SnapshotRead {
  readonly #connection: DuckDBConnection;
  #problem: ClicksUnavailable | null = null;
  #isReading = false;
  #timer: Timer | null = null;

  constructor(connection: DuckDBConnection) {
    this.#connection = connection;
  }

  async run<T>(work: (session: Session) => Promise<T>, timeoutMs: number): Promise<T> {
    const session = sessionOn(this.#connection);
    const deadline = setTimeout(() => this.abort("The report took too long."), timeoutMs);
    const inTime = <T>(start: () => Promise<T>): Promise<T> =>
      this.#problem ? Promise.reject(this.#problem) : start();
    const bounded: Session = {
      run: (sql, values) => inTime(() => session.run(sql, values)),
      rows: (sql, values) => inTime(() => session.rows(sql, values)),
    };
    const read = async (): Promise<T> => {
      this.#isReading = true;
      try {
        return await work(bounded);
      } finally {
        this.#isReading = false;
        if (this.#timer) clearInterval(this.#timer);
      }
    };
    try {
      return await inTransaction(session, "begin transaction read only", read);
    } catch (error) {
      throw this.#problem ?? error;
    } finally {
      clearTimeout(deadline);
    }
  }

  /** Only interrupts reads: a connection whose rollback is interrupted would stay in its transaction forever. */
  abort(why: string): void {
    if (this.#problem) return;
    this.#problem = new ClicksUnavailable(why);
    if (!this.#isReading) return;
    this.#connection.interrupt();
    this.#timer = setInterval(() => this.#connection.interrupt(), INTERRUPT_EVERY_MS);
  }
}
