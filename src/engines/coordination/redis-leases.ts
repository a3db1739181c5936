import { type Loop, startLoop } from "#kernel/loop.ts";
import type { Lease } from "./leases.ts";
import type { RedisLink } from "./redis-link.ts";
import { NOW, RedisScript } from "./redis-script.ts";

// An empty server may have forgotten a holder who still works, so a new holder has to wait until any old one has lost
// the lease by its own clock. A holder who still has it simply gets it back.
const RENEW = new RedisScript(`${NOW}
local key, started, holder, life, held = KEYS[1], KEYS[2], ARGV[1], tonumber(ARGV[2]), ARGV[3] == '1'
local current = redis.call('GET', key)
if not current and not held then
  local since = tonumber(redis.call('GET', started) or 0)
  if since == 0 or since > now then
    redis.call('SET', started, now)
    since = now
  end
  if now - since < life then return 0 end
end
if current and current ~= holder then return 0 end
redis.call('SET', key, holder, 'PX', life)
return 1
`);

const RELEASE = new RedisScript(`
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0
`);

const LIFE_MS = 15_000;
/** The clocks of this machine and of the server don't run at exactly the same speed. */
const MARGIN_SHARE = 0.05;
const RENEWALS_PER_LIFE = 3;

export interface RedisLeaseOptions {
  readonly link: Pick<RedisLink, "run">;
  readonly key: string;
  /** Says since when the server remembers leases; all leases of a deployment share it. */
  readonly startedKey: string;
  readonly processId: string;
  readonly lifeMs?: number;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

/** Asks for the lease until released, and renews it in time. While the server is away, nobody holds it for long. */
export class RedisLease implements Lease {
  readonly #options: RedisLeaseOptions;
  readonly #lifeMs: number;
  readonly #now: () => number;
  readonly #loop: Loop;
  /** When the renewal that was granted last was asked for. */
  #askedAt: { readonly monotonic: number; readonly wall: number } | null = null;

  constructor(options: RedisLeaseOptions) {
    const { lifeMs = LIFE_MS, now = () => performance.now() } = options;
    this.#options = options;
    this.#lifeMs = lifeMs;
    this.#now = now;
    this.#loop = startLoop({
      intervalMs: lifeMs / RENEWALS_PER_LIFE,
      run: () => this.#renew(),
      // The server is away, which its connection reports.
      onFailure: () => {},
    });
  }

  isHeld(): boolean {
    if (!this.#askedAt) return false;
    const { monotonic, wall } = this.#askedAt;
    // A machine that was suspended may only notice it by the wall clock. If that one jumps, the lease is lost too early.
    const elapsedMs = Math.max(this.#now() - monotonic, Date.now() - wall);
    return elapsedMs < this.#lifeMs * (1 - MARGIN_SHARE);
  }

  async release(): Promise<void> {
    await this.#loop.stop();
    const { link, key, processId } = this.#options;
    const wasHeld = this.isHeld();
    this.#askedAt = null;
    if (wasHeld) await link.run(RELEASE, [key], [processId]).catch(() => {});
  }

  async #renew(): Promise<boolean> {
    const { link, key, startedKey, processId } = this.#options;
    // Before asking: the server counts from when it answers, which is later.
    const askedAt = { monotonic: this.#now(), wall: Date.now() };
    const answer = await link.run(RENEW, [key, startedKey], [processId, this.#lifeMs, this.isHeld() ? 1 : 0]);
    this.#askedAt = answer === 1 ? askedAt : null;
    return false;
  }
}
