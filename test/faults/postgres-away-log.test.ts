import { expect, test } from "bun:test";
import { startKurz } from "#test/support/kurz-server.ts";
import { LinkApi } from "#test/support/link-api.ts";
import { startPostgres } from "#test/support/postgres-server.ts";
import { until } from "#test/support/until.ts";

const AWAY = "the server at DATABASE_URL is away";
const BACK = "the server at DATABASE_URL is back";

test("an operator is told that PostgreSQL is away and back, and what a stop meanwhile leaves behind", async () => {
  const server = await startPostgres();
  const node = await startKurz({
    env: {
      DATABASE_URL: server.urlOf(await server.newDatabase()),
      KURZ_SECRET_KEY: "a secret key for tests that all nodes share",
      KURZ_REDIRECT_PROCESSES: "1",
    },
  });
  const lines = () => node.output.stderr.split("\n").filter((line) => line.startsWith("{"));
  const count = (text: string) => lines().filter((line) => line.includes(text)).length;

  const links = new LinkApi(node.url, await node.newToken(await node.newAccount()));
  const { slug } = await links.create({ destination_url: "https://example.com/" });
  const visit = async () => (await fetch(`${node.url}/${slug}`, { redirect: "manual" })).status;
  expect(await visit()).toBe(302);

  await server.stop("KILL");
  await until("it is away", () => count(AWAY) === 1, 60_000);
  await server.start();
  await until("it is back", () => count(BACK) === 1, 60_000);
  await server.stop("KILL");
  await until("it is away again", () => count(AWAY) === 2, 60_000);

  expect(await visit()).toBe(302);
  expect(await node.stop()).toBe(0);
  expect(count("clicks are left in the journal of this node; keep its data directory")).toBe(1);
  expect(count("the orderly stop failed")).toBe(0);
  // Many notice, but where in the code is of no interest.
  expect(lines().filter((line) => line.includes("at toRecordsError"))).toEqual([]);
  await server.close();
}, 300_000);
