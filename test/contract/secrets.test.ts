import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tokenIdOf } from "#test/support/forged-token.ts";
import { startKurz } from "#test/support/kurz-server.ts";
import { findLeaks } from "#test/support/leaks.ts";
import { askOnce } from "#test/support/raw-connection.ts";

const PASSWORD = "correct-horse-battery-staple-9";

const dataDir = mkdtempSync(join(tmpdir(), "kurz-secrets-"));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

/** Ways in which a client might send a token by mistake, none of which the service reads. */
async function misuse(port: number, url: string, token: string): Promise<void> {
  const json = ["Content-Type", "application/json"] as const;
  const bearer = ["Authorization", `Bearer ${token}`] as const;
  const requests = [
    { target: `/api/v1/me?access_token=${token}` },
    { target: `/api/v1/links?token=${token}`, headers: [bearer] },
    { target: "/api/v1/me", headers: [["Cookie", `token=${token}`]] },
    {
      target: "/api/v1/me",
      headers: [
        ["Authorization", `Bearer ${token} `],
        ["Authorization", bearer[1]],
      ],
    },
    { target: "/api/v1/me", headers: [["Authorization", `Basic ${token}`]] },
    { target: "/api/v1/me", headers: [["X-Request-Id", token], bearer] },
    { target: `/api/v1/links/${token}`, headers: [bearer] },
    { target: `/api/v1/${token}`, headers: [bearer] },
    { method: "POST", target: "/api/v1/links", headers: [bearer, json], body: JSON.stringify({ token }) },
    { method: "POST", target: "/api/v1/links", headers: [bearer, json], body: `{"token":"${token}` },
    { method: "PUT", target: "/api/v1/links", headers: [bearer] },
    { target: `/${token}` },
    { target: `/?token=${token}` },
    {
      target: "/unknown",
      headers: [
        ["Referer", `${url}/?token=${token}`],
        ["User-Agent", token],
      ],
    },
  ] as const;
  for (const request of requests) await askOnce(port, request);
}

test("no token or password is in any file or in the log, whatever a client did with it", async () => {
  const secrets = [PASSWORD];
  const texts: Record<string, string> = {};
  for (const run of ["first", "second"]) {
    const server = await startKurz({ dataDir, env: { KURZ_LOG_CLIENT_IP: "on" } });
    const created = await server.kurz(
      ["accounts", "create", "--email", `${run}@example.com`, "--name", "Test"],
      `${PASSWORD}\n`,
    );
    const account = created.stdout.trim();
    const token = await server.newToken(account);
    const revoked = await server.newToken(account);
    secrets.push(token, revoked);
    await misuse(server.port, server.url, token);
    expect((await fetch(`${server.url}/api/v1/me`, { headers: { Authorization: `Bearer ${revoked}` } })).status).toBe(
      200,
    );
    expect((await server.kurz(["tokens", "revoke", tokenIdOf(revoked)])).code).toBe(0);
    await misuse(server.port, server.url, revoked);
    const listed = await server.kurz(["tokens", "list"]);
    Object.assign(texts, { [`${run} list`]: listed.stdout, [`${run} create`]: created.stdout + created.stderr });
    // While it runs the latest writes are in the write-ahead log; afterwards they are in the database.
    expect(findLeaks(secrets, dataDir, texts)).toEqual([]);
    expect(await server.stop()).toBe(0);
    Object.assign(texts, { [`${run} stdout`]: server.output.stdout, [`${run} stderr`]: server.output.stderr });
    expect(server.output.stdout).toContain(tokenIdOf(token));
    expect(findLeaks(secrets, dataDir, texts)).toEqual([]);
  }
});

test("the search for secrets finds them", () => {
  expect(findLeaks(["kurz_id_secretpart"], dataDir, { log: "…secretpart…" })).toEqual(["log"]);
});
