import { createHash } from "node:crypto";
import type { Redis } from "ioredis";

/** A script that the server runs as one step. Its text is only sent to a server that doesn't know it yet. */
export class RedisScript {
  readonly text: string;
  readonly #sha: string;

  constructor(text: string) {
    this.text = text;
    this.#sha = createHash("sha1").update(text).digest("hex");
  }

  async run(redis: Redis, keys: readonly string[], values: readonly (string | number)[]): Promise<unknown> {
    try {
      return await redis.evalsha(this.#sha, keys.length, ...keys, ...values);
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith("NOSCRIPT")) throw error;
      return redis.eval(this.text, keys.length, ...keys, ...values);
    }
  }
}

/**
 * The start of each script that needs the time: the server's own, in milliseconds, so the clocks of the nodes don't
 * matter.
 */
export const NOW = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;
