import { afterAll, beforeAll, expect, test } from "bun:test";
import { dataPaths } from "#config/data-paths.ts";
import { inviteMember } from "#contract/console/account.ts";
import { forgetPassword, resetPassword } from "#contract/console/session.ts";
import { migrateSqlite } from "#engines/records/sqlite/migrate.ts";
import { readRecords } from "#test/support/change-records.ts";
import { type ConsoleServer, OWNER_EMAIL, outcomeOf, startConsole } from "#test/support/console-client.ts";
import { type Kurz, kurzHere, newDataDir } from "#test/support/kurz-command.ts";

const NEW_PASSWORD = "four large brown herons";

let site: ConsoleServer;
let kurz: Kurz;
beforeAll(async () => {
  site = await startConsole();
  kurz = kurzHere(site.server.dataDir);
});
afterAll(() => site.stop());

const env = () => ({ KURZ_BASE_URL: site.url });
const tokenOf = (url: string): string => /\/console\/reset\/(\w+)$/.exec(url.trim())?.[1] ?? "";
const logOf = ({ server }: ConsoleServer): string => server.output.stdout + server.output.stderr;

const countVerifications = (): number => readRecords(site.server, "select * from verifications").length;

test("an operator creates a link that sets a password once, while the server runs", async () => {
  const { email } = await site.newOwner();
  const { exitCode, out } = await kurz(["users", "reset-link", email.toUpperCase()], { env: env() });
  expect(exitCode).toBe(0);
  expect(out).toStartWith(`${site.url}/console/reset/`);
  const guest = site.guest();
  const reset = () => guest.call(resetPassword, { body: { token: tokenOf(out), password: NEW_PASSWORD } });
  expect(outcomeOf(await reset())).toBe("204");
  expect(outcomeOf(await reset())).toBe("404 not_found");
  expect(outcomeOf(await guest.signIn(email, NEW_PASSWORD))).toBe("200");
});

test("with --json the link comes with its address and expiry, an hour away", async () => {
  const before = Date.now();
  const { out } = await kurz(["users", "reset-link", OWNER_EMAIL, "--json"], { env: env() });
  const { email, url, expires_at } = JSON.parse(out) as { email: string; url: string; expires_at: string };
  expect([email, tokenOf(url).length]).toEqual([OWNER_EMAIL, 32]);
  const lifeMs = Date.parse(expires_at) - before;
  expect(lifeMs).toBeGreaterThanOrEqual(3_600_000);
  expect(lifeMs).toBeLessThan(3_660_000);
});

test("an unknown address is named in the error", async () => {
  const { exitCode, out, err } = await kurz(["users", "reset-link", "nobody@example.com"], { env: env() });
  expect([exitCode, out]).toEqual([1, ""]);
  expect(err).toContain('there is no user with the e-mail address "nobody@example.com"');
});

test("without a server the command says where it looked, or creates the link itself", async () => {
  const dataDir = newDataDir();
  const alone = kurzHere(dataDir);
  expect((await alone(["users", "reset-link", OWNER_EMAIL])).err).toContain(dataDir);
  migrateSqlite(dataPaths(dataDir).records);
  await alone(["accounts", "create", "--email", OWNER_EMAIL, "--name", "Acme"], { input: NEW_PASSWORD });
  expect(tokenOf((await alone(["users", "reset-link", OWNER_EMAIL])).out)).toHaveLength(32);
});

test("a stranger's request never creates or logs a link that lets someone in", async () => {
  const pending = countVerifications();
  for (const email of [OWNER_EMAIL, "nobody@example.com"]) {
    expect(outcomeOf(await site.guest().call(forgetPassword, { body: { email } }))).toBe("204");
  }
  const { url } = await site.owner.do(inviteMember, { body: { email: "new@example.com", role: "viewer" } });
  const link = (await kurz(["users", "reset-link", OWNER_EMAIL], { env: env() })).out.trim();
  // The operator's link was written after anything that the requests before might have left.
  expect(countVerifications()).toBe(pending + 1);
  await site.server.stop();
  expect(logOf(site)).not.toContain("/console/reset/");
  expect(logOf(site)).not.toContain("/console/join/");
  for (const secret of [tokenOf(link), url.split("/").at(-1) ?? ""]) expect(logOf(site)).not.toContain(secret);
});
