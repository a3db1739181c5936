import { afterAll, expect, test } from "bun:test";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readExposition } from "#test/support/exposition.ts";
import { serveMetrics } from "./metrics-server.ts";

const directory = mkdtempSync(join(tmpdir(), "kurz-metrics-"));
afterAll(() => rmSync(directory, { recursive: true }));

const read = async () => ({ kurz_journal_bytes: 5 });
const loopback = { hostname: "127.0.0.1", port: 0 };

test("GET /metrics answers in the text format, and nothing else is there", async () => {
  const server = await serveMetrics(loopback, read);
  const response = await fetch(server.address);
  expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  expect(readExposition(await response.text()).get("kurz_journal_bytes")).toBe(5);

  const posted = await fetch(server.address, { method: "POST", body: "x" });
  expect([posted.status, posted.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  for (const path of ["/", "/metrics/", "/metricsx", "/api/metrics"]) {
    expect((await fetch(new URL(path, server.address))).status).toBe(404);
  }
  await server.stop();
});

test("a port that is taken is told with its reason", async () => {
  const other = await serveMetrics(loopback, read);
  const port = Number(new URL(other.address).port);
  await expect(serveMetrics({ ...loopback, port }, read)).rejects.toThrow(
    `cannot listen on 127.0.0.1:${port}: the port is in use`,
  );
  await other.stop();
});

test("the socket of a dead server is taken over, that of a living one is not, and no other file is touched", async () => {
  const unix = join(directory, "metrics.sock");
  const killed = Bun.spawn([
    process.execPath,
    "-e",
    `Bun.serve({ unix: ${JSON.stringify(unix)}, fetch: () => new Response() }); console.log("up")`,
  ]);
  await killed.stdout.getReader().read();
  await expect(serveMetrics({ unix }, read)).rejects.toThrow("EADDRINUSE");
  killed.kill("SIGKILL");
  await killed.exited;
  expect(existsSync(unix)).toBe(true);

  const server = await serveMetrics({ unix }, read);
  expect(server.address).toBe(`unix:${unix}`);
  expect((await fetch("http://localhost/metrics", { unix })).status).toBe(200);
  await server.stop();

  const file = join(directory, "precious");
  writeFileSync(file, "data");
  await expect(serveMetrics({ unix: file }, read)).rejects.toThrow();
  expect(await Bun.file(file).text()).toBe("data");
});
