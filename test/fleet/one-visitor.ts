import { DuckDBInstance } from "@duckdb/node-api";
import { dataPaths } from "#config/data-paths.ts";
import { BROWSER } from "#test/support/click-counts.ts";
import { type Fleet, inTurn } from "#test/support/fleet.ts";
import type { KurzServer } from "#test/support/kurz-server.ts";
import { until } from "#test/support/until.ts";

export interface SameVisitor {
  readonly link: string;
  /** The UTC days of the first and the last visit: salts change at midnight. */
  readonly days: readonly string[];
}

const today = (): string => new Date().toISOString().slice(0, 10);

/** Visits a link on every node as the same person, and waits until it is counted. */
export async function visitEveryNode({ nodes, apis }: Fleet): Promise<SameVisitor> {
  const { id, slug } = await inTurn(apis, 0).create();
  const first = today();
  for (const { url } of nodes) {
    const headers = { "user-agent": BROWSER, "x-forwarded-for": "198.51.100.77" };
    const { status } = await fetch(`${url}/${slug}`, { redirect: "manual", headers });
    if (status !== 302) throw new Error(`${status} instead of a redirect`);
  }
  const last = today();
  for (const api of apis) {
    await until("every node has stored its click", async () => {
      const answer = await api.ask("GET", `/links/${id}/analytics?interval=24h`);
      return answer.status === 200 && ((await answer.json()) as { totals: { clicks: number } }).totals.clicks === 1;
    });
  }
  return { link: id, days: [...new Set([first, last])] };
}

/** The visitors that each of these nodes has stored, once they have stopped. */
export async function storedVisitors(nodes: readonly Pick<KurzServer, "dataDir">[], linkNo: number): Promise<string[]> {
  const visitors = new Set<string>();
  for (const { dataDir } of nodes) {
    const instance = await DuckDBInstance.create(dataPaths(dataDir).clicks, { access_mode: "READ_ONLY" });
    const connection = await instance.connect();
    const found = await connection.runAndReadAll(`select visitor::varchar from clicks where link_no = ${linkNo}`);
    for (const [visitor] of found.getRows()) visitors.add(String(visitor));
    connection.closeSync();
    instance.closeSync();
  }
  return [...visitors];
}
