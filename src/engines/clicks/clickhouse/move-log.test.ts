import { expect, test } from "bun:test";
import { layoutOf } from "./layout.ts";
import { refuseUnfinishedMove } from "./move-log.ts";
import type { ClickHouseSession } from "./session.ts";

/** A server that knows of a move that another one has acknowledged only after it has caught up. */
function serverBehind(): ClickHouseSession {
  let isBehind = true;
  const session: Partial<ClickHouseSession> = {
    async run(sql: string) {
      if (sql === "system sync replica moves lightweight") isBehind = false;
    },
    rows: async () => (isBehind ? [] : [[1, false]]),
  };
  return session as ClickHouseSession;
}

test("a server of a cluster that is behind doesn't hide an unfinished move", async () => {
  await expect(refuseUnfinishedMove(serverBehind(), layoutOf("kurz"))).rejects.toThrow("run it again");
  // A single server is never behind.
  await refuseUnfinishedMove(serverBehind(), layoutOf(null));
});
