import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { type KurzServer, startKurz } from "#test/support/kurz-server.ts";
import { until } from "#test/support/until.ts";

setDefaultTimeout(600_000);

const FORWARDED = { "x-forwarded-for": "203.0.113.9" };
const HTTPS = { KURZ_BASE_URL: "https://s.example", KURZ_REDIRECT_PROCESSES: "1" };

const servers: KurzServer[] = [];
afterAll(() => Promise.all(servers.map((server) => server.stop())));

async function start(env: Readonly<Record<string, string>>): Promise<KurzServer> {
  const server = await startKurz({ env });
  servers.push(server);
  return server;
}

const warnings = ({ output }: KurzServer): string[] =>
  output.stderr.split("\n").filter((line) => line.includes("KURZ_TRUST_PROXY is 0"));

const diagnosis = async (server: KurzServer): Promise<string> => (await server.kurz(["doctor"])).stdout;

test("a proxy missing from the configuration is logged once and reported by the doctor", async () => {
  const server = await start(HTTPS);
  expect(await diagnosis(server)).not.toContain("KURZ_TRUST_PROXY");
  for (let request = 0; request < 3; request += 1) await fetch(`${server.url}/api/v1/me`, { headers: FORWARDED });
  await until("the warning is logged", () => warnings(server).length > 0);
  const isFound = async () => (await diagnosis(server)).includes("3 requests came through a proxy");
  await until("the doctor reports it", isFound);
  expect(warnings(server)).toHaveLength(1);
  expect(server.output.stderr).not.toContain("203.0.113.9");
  expect(await diagnosis(server)).toMatch(/^warning +proxy .*set KURZ_TRUST_PROXY to the number of proxies/m);
});

test("a configured proxy, or a base URL without TLS, causes no warning", async () => {
  const known = await start({ ...HTTPS, KURZ_TRUST_PROXY: "1" });
  const plain = await start({ KURZ_REDIRECT_PROCESSES: "1" });
  for (const server of [known, plain]) {
    await fetch(`${server.url}/api/v1/me`, { headers: FORWARDED });
    await server.stop();
    expect(warnings(server)).toEqual([]);
  }
});
