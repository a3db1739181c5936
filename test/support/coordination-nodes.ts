import type { Coordination } from "#engines/coordination/coordination.ts";
import { openRedisCoordination, type RedisCoordinationOptions } from "#engines/coordination/redis-coordination.ts";
import type { RedisServer } from "./redis-server.ts";

/** For tests in which the server is there, however busy the machine. */
export const PATIENT_MS = 60_000;
export const TEST_SECRET = "a secret that all nodes of a test share";

export const openTestNode = (
  { url }: Pick<RedisServer, "url">,
  options: Partial<RedisCoordinationOptions> = {},
): Promise<Coordination> =>
  openRedisCoordination({
    url,
    secret: TEST_SECRET,
    answerMsMax: PATIENT_MS,
    leaseMs: 1000,
    onChange() {},
    ...options,
  });
