import type { SegmentPosition } from "../clicks-engine.ts";
import { chunksOf } from "./chunks.ts";
import { type Layout, syncReplica } from "./layout.ts";
import { type ClickHouseSession, int, REWRITE_TIMEOUT_MS } from "./session.ts";

/** An insert without an answer takes effect within this time or not at all. */
const ARRIVED = "interval 1 hour";
/** Batches wait for it, so it isn't as patient as others that delete something. */
const FORGET_TIMEOUT_MS = 60_000;

/** Numbers of batches, in lists for statements. */
const listsOf = (numbers: readonly unknown[]): readonly string[] =>
  chunksOf(numbers.map((number) => int(Number(number)))).map((chunk) => chunk.join(", "));

type BatchState = "begun" | "stored" | "aborted" | "removed";

/**
 * A node's record of its batches. ClickHouse has no transaction around clicks and checkpoint, and an insert without an
 * answer may take effect later. So a batch is announced first, and its rows carry its node and number. When the outcome of
 * a batch is unknown, it is aborted: its rows never count, whenever they arrive, and its clicks are sent again as another
 * batch. A node stores one batch after the other, so only its last one can be in doubt.
 */
export class BatchLog {
  readonly #session: ClickHouseSession;
  readonly #node: string;
  readonly #layout: Layout;
  #lastNumber = 0;
  /** Whether an earlier batch may have no outcome yet, such as that of a process that was killed. */
  #isInDoubt = true;
  /** Nobody else stores batches of this node, so they are read once. */
  #positions: Map<string, number> | null = null;

  constructor(session: ClickHouseSession, node: string, layout: Layout) {
    this.#session = session;
    this.#node = node;
    this.#layout = layout;
  }

  /** Stores the rows of a batch with a new number, and the positions behind it. After a failure, call `settle` before anything else. */
  async store(batch: number, checkpoints: readonly SegmentPosition[], insertRows: () => Promise<void>): Promise<void> {
    this.#isInDoubt = true;
    await this.#note("begun", [batch]);
    await insertRows();
    await this.#note("stored", [batch], checkpoints);
    for (const { segment, offset } of checkpoints) this.#positions?.set(segment, offset);
    this.#isInDoubt = false;
  }

  /** Aborts batches without a known outcome. Once aborted, a batch stays so, even if it was stored after all. */
  async settle(): Promise<void> {
    if (!this.#isInDoubt) return;
    this.#positions = null;
    await syncReplica(this.#session, this.#layout, ["batches"]);
    const rows = await this.#session.rows(
      `select batch from batches where node = {node:String} group by batch having max(state) = 'begun' and batch > (
        select max(batch) from batches where node = {node:String} and state <> 'begun') order by batch`,
      { values: { node: this.#node } },
    );
    const [last] = await this.#session.rows("select max(batch) from batches where node = {node:String}", {
      values: { node: this.#node },
    });
    this.#lastNumber = Math.max(this.#lastNumber, Number(last?.[0]));
    await this.#note(
      "aborted",
      rows.map(([batch]) => Number(batch)),
    );
    this.#isInDoubt = false;
  }

  /** How far each segment of the node is stored. Call after `settle`. */
  async positions(): Promise<ReadonlyMap<string, number>> {
    this.#positions ??= await this.#readPositions();
    return this.#positions;
  }

  async #readPositions(): Promise<Map<string, number>> {
    const rows = await this.#session.rows(
      `select segment, max(position) from (
        select anyIf(segments, state = 'stored') as names, anyIf(positions, state = 'stored') as offsets
        from batches where node = {node:String} group by batch having max(state) = 'stored'
      ) array join names as segment, offsets as position group by segment`,
      { values: { node: this.#node } },
    );
    return new Map(rows.map(([segment, position]) => [String(segment), Number(position)]));
  }

  /** Forgets the positions of all other segments. Call after `settle`. */
  async keepOnly(segments: readonly string[]): Promise<void> {
    const known = await this.positions();
    const kept = segments.flatMap((segment) => {
      const offset = known.get(segment);
      return offset === undefined ? [] : [{ segment, offset }];
    });
    const batch = this.nextNumber();
    this.#positions = null;
    // What is kept becomes one row, before the others go; a deletion that is interrupted leaves no older batch in doubt.
    await this.#note("stored", [batch], kept);
    // Aborted ones must stay known.
    const settled = await this.#session.rows(
      `select batch from batches where node = {node:String} group by batch
      having max(state) in ('begun', 'stored') and batch < ${int(batch)} order by batch`,
      { values: { node: this.#node } },
    );
    for (const batches of listsOf(settled.map(([batch]) => batch))) {
      await this.#session.run(`delete from batches where node = {node:String} and batch in (${batches})`, {
        values: { node: this.#node },
        timeoutMs: FORGET_TIMEOUT_MS,
      });
    }
  }

  /**
   * Deletes the rows of aborted batches, of all nodes, once none of them can arrive any more. `mayGoOn` is asked before
   * each deletion: while another node moves days between the tables, rows could escape, and then count.
   */
  async removeAborted(mayGoOn: () => Promise<boolean>): Promise<void> {
    const rows = await this.#session.rows(
      `select node, groupArray(batch) from (
        select node, batch from batches where state in ('aborted', 'removed') group by node, batch
        having max(state) = 'aborted' and max(at) < now64(3) - ${ARRIVED} order by node, batch
      ) group by node`,
    );
    for (const [node, numbers] of rows) {
      for (const batches of listsOf(Array.isArray(numbers) ? numbers : [])) {
        if (!(await this.#removeRows(String(node), batches, mayGoOn))) return;
      }
    }
  }

  async #removeRows(node: string, batches: string, mayGoOn: () => Promise<boolean>): Promise<boolean> {
    const which = `node = {node:String} and batch in (${batches})`;
    for (const table of ["clicks", "expiring_clicks"]) {
      if (!(await mayGoOn())) return false;
      const options = { values: { node }, timeoutMs: REWRITE_TIMEOUT_MS };
      await this.#session.run(`delete from ${table} where ${which}`, options);
    }
    await this.#session.run(
      `insert into batches (node, batch, state) select distinct node, batch, 'removed' from batches
      where state = 'aborted' and ${which}`,
      { values: { node } },
    );
    return true;
  }

  /** Greater than all earlier ones of this node, even if the clock was set back. Call after `settle`. */
  nextNumber(): number {
    this.#lastNumber = Math.max(Date.now() * 2048, this.#lastNumber + 1);
    return this.#lastNumber;
  }

  async #note(state: BatchState, batches: readonly number[], at: readonly SegmentPosition[] = []): Promise<void> {
    if (batches.length === 0) return;
    const segments = at.map(({ segment }) => segment);
    const positions = at.map(({ offset }) => offset);
    await this.#session.insertRows(
      "batches (node, batch, state, segments, positions)",
      batches.map((batch) => [this.#node, batch, state, segments, positions]),
    );
  }
}
