import { type Layout, syncReplica } from "./layout.ts";
import type { ClickHouseSession } from "./session.ts";

const MINUTE_MS = 60_000;
/** No step of a compaction may take longer than this. Only rows of aborted batches are deleted more patiently. */
export const STEP_MS_MAX = 10 * MINUTE_MS;
/** The holder renews it before the next step once it is this old, unless it is too old for that. */
export const RENEWED_MS = 10 * MINUTE_MS;
export const HELD_MS = 30 * MINUTE_MS;
/** Others wait until nothing that the holder has begun can still be under way, by far, in case it has died. */
export const EXPIRED_MS = 120 * MINUTE_MS;
const EXPIRED = `interval ${EXPIRED_MS / MINUTE_MS} minute`;

/**
 * The right to compact, noted beside the clicks themselves: a lease that is kept elsewhere may be lost without the holder
 * noticing, or not be there at all. Claims are numbered. Each number can be inserted once, because the server ignores an
 * insert whose token it knows; whoever then finds their own claim under the number has it.
 */
export class CompactionClaim {
  readonly #session: ClickHouseSession;
  readonly #layout: Layout;
  readonly #owner = crypto.randomUUID();
  #taken = { wallMs: 0, steadyMs: Number.NEGATIVE_INFINITY };

  constructor(session: ClickHouseSession, layout: Layout) {
    this.#session = session;
    this.#layout = layout;
  }

  /** Takes or renews it; `false` if another one has it. */
  async take(): Promise<boolean> {
    const taken = { wallMs: Date.now(), steadyMs: performance.now() };
    const isOurs = await this.#insertNext(true);
    if (isOurs) this.#taken = taken;
    else this.#taken.steadyMs = Number.NEGATIVE_INFINITY;
    return isOurs;
  }

  /** Whether the next step may begin. Renews the claim if need be. */
  async isHeld(): Promise<boolean> {
    const age = this.#ageMs();
    if (age >= HELD_MS) return false;
    return age < RENEWED_MS || this.take();
  }

  /** Lets others have it at once. */
  async release(): Promise<void> {
    if (this.#ageMs() < HELD_MS) await this.#insertNext(false);
    this.#taken.steadyMs = Number.NEGATIVE_INFINITY;
  }

  /** By the wall clock too, which goes on while a machine is suspended. */
  #ageMs(): number {
    return Math.max(Math.abs(Date.now() - this.#taken.wallMs), performance.now() - this.#taken.steadyMs);
  }

  async #insertNext(isHeld: boolean): Promise<boolean> {
    await syncReplica(this.#session, this.#layout, ["compaction_claims"]);
    const [last] = await this.#session.rows(
      `select no, owner, is_held and at > now64(3) - ${EXPIRED} from compaction_claims order by no desc, at, owner limit 1`,
    );
    if (last && last[1] !== this.#owner && last[2]) return false;
    const no = Number(last?.[0] ?? 0) + 1;
    await this.#session.insertRows("compaction_claims (no, owner, is_held)", [[no, this.#owner, isHeld]], {
      settings: { insert_deduplication_token: `claim:${no}` },
    });
    const [winner] = await this.#session.rows(
      `select owner from compaction_claims where no = ${no} order by at, owner limit 1`,
    );
    return winner?.[0] === this.#owner;
  }
}
