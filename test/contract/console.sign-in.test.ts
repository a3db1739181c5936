import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Cookie } from "tough-cookie";
import { sendToServer } from "#commands/admin-client.ts";
import { dataPaths } from "#config/data-paths.ts";
import {
  confirmPassword,
  getState,
  resetPassword,
  setUp,
  signIn,
  signOut,
  startPasskeySignIn,
} from "#contract/console/session.ts";
import { changePassword, listSessions } from "#contract/console/user.ts";
import { readRecords } from "#test/support/change-records.ts";
import {
  ConsoleClient,
  type ConsoleServer,
  OWNER_EMAIL,
  outcomeOf,
  PASSWORD,
  setUpCodeOf,
  startConsole,
} from "#test/support/console-client.ts";
import { startKurz } from "#test/support/kurz-server.ts";
import { cpuMsOf } from "#test/support/process-table.ts";
import { expectThrottled } from "#test/support/throttled.ts";
import { until } from "#test/support/until.ts";

const HASH_MS_MIN = 5;
const DIFFERENCE_MAX = 0.2;
const ROUNDS_MIN = 6;
// Fewer than the failures that one account may have in a day.
const ROUNDS_MAX = 40;

let console: ConsoleServer;
beforeAll(async () => {
  console = await startConsole({ KURZ_TRUST_PROXY: "1" });
});
afterAll(() => console.stop());

const person = { email: "eve@example.com", name: "Eve", account_name: "Evil", password: PASSWORD };

describe("a session", () => {
  test("has a cookie out of reach of scripts and other sites", async () => {
    const answer = await console.guest().signIn(OWNER_EMAIL);
    const cookies = answer.headers.getSetCookie().map((line) => Cookie.parse(line));
    expect(cookies.length).toBeGreaterThan(0);
    for (const cookie of cookies) {
      const shared = { httpOnly: true, domain: null, secure: false };
      const isDevice = cookie?.key === "kurz.device";
      expect(cookie).toMatchObject({
        ...shared,
        ...(isDevice ? { sameSite: "strict", path: "/console" } : { sameSite: "lax", path: "/" }),
      });
    }
    expect(cookies.map((cookie) => cookie?.key)).toContain("kurz.device");
  });

  test("has a Secure cookie on https, with a name that says so", async () => {
    const env = { KURZ_BASE_URL: "https://s.example", KURZ_REDIRECT_PROCESSES: "1" };
    const server = await startKurz({ env });
    try {
      const client = new ConsoleClient(server.url);
      const { headers } = await client.call(setUp, { body: { code: setUpCodeOf(server), ...person } });
      const [cookie] = headers.getSetCookie().map((line) => Cookie.parse(line));
      expect(cookie).toMatchObject({ key: "__Host-kurz.session_token", secure: true, httpOnly: true, path: "/" });
      expect(cookie).toMatchObject({ sameSite: "lax", domain: null });
      expect(headers.get("strict-transport-security")).not.toBeNull();
      const session = { cookie: cookie?.cookieString() ?? "" };
      const { body } = await new ConsoleClient(server.url).call(getState, { headers: session });
      expect(body.session?.user.email).toBe(person.email);
      const { headers: begun } = await client.call(startPasskeySignIn);
      for (const line of begun.getSetCookie()) expect(line).toMatch(/^__Host-kurz.*; Secure/);
    } finally {
      await server.stop();
    }
  });

  test("gets a new id at sign-in, which ends the previous one", async () => {
    const client = console.guest();
    await client.signIn(OWNER_EMAIL);
    const before = await client.sessionCookie();
    const old = console.guest();
    old.jar.setCookieSync(`kurz.session_token=${before}`, console.url);
    expect((await old.state()).session).not.toBeNull();
    await client.signIn(OWNER_EMAIL);
    expect(await client.sessionCookie()).not.toBe(before);
    expect((await old.state()).session).toBeNull();
  });

  test("never uses a cookie planted before sign-in", async () => {
    const client = console.guest();
    client.jar.setCookieSync("kurz.session_token=planted", console.url);
    await client.signIn(OWNER_EMAIL);
    expect(await client.sessionCookie()).not.toStartWith("planted");
  });

  test("gets a new id when the password is confirmed", async () => {
    const client = console.guest();
    await client.signIn(OWNER_EMAIL);
    const before = await client.sessionCookie();
    await client.do(confirmPassword, { body: { password: PASSWORD } });
    expect(await client.sessionCookie()).not.toBe(before);
    expect((await client.state()).session?.sudo_until).not.toBeNull();
  });

  test("keeps its new id when a request with the old one is answered late", async () => {
    const client = console.guest();
    await client.signIn(OWNER_EMAIL);
    const before = await client.sessionCookie();
    await client.do(confirmPassword, { body: { password: PASSWORD } });
    const headers = { cookie: `kurz.session_token=${before}` };
    expect(outcomeOf(await client.call(listSessions, { headers }))).toBe("401 not_signed_in");
    expect((await client.call(getState, { headers })).body.session).toBeNull();
    expect((await client.state()).session?.user.email).toBe(OWNER_EMAIL);
  });

  test("ends at sign-out, even for a copy of its cookie", async () => {
    const client = console.guest();
    await client.signIn(OWNER_EMAIL);
    const copy = console.guest();
    copy.jar.setCookieSync(`kurz.session_token=${await client.sessionCookie()}`, console.url);
    await client.do(signOut);
    expect(await client.sessionCookie()).toBeUndefined();
    expect((await copy.state()).session).toBeNull();
    expect(outcomeOf(await copy.call(listSessions))).toBe("401 not_signed_in");
  });

  test("is refused if one character of its cookie changes", async () => {
    const value = (await console.owner.sessionCookie()) ?? "";
    const changed = (value.startsWith("x") ? "y" : "x") + value.slice(1);
    for (const forged of [value.slice(0, -3), changed, value.split(".")[0] ?? "", ""]) {
      const client = console.guest();
      client.jar.setCookieSync(`kurz.session_token=${forged}`, console.url);
      expect((await client.state()).session).toBeNull();
    }
  });
});

/** A few at a time: each takes a password hash, and a busy server refuses what waits for too long. */
async function inBatches<T>(places: readonly string[], work: (place: string) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let start = 0; start < places.length; start += 10) {
    results.push(...(await Promise.all(places.slice(start, start + 10).map(work))));
  }
  return results;
}

describe("guessing", () => {
  test("a wrong password and an unknown address can't be told apart, even by the work they cause", async () => {
    const { email } = await console.newOwner();
    let places = 0;
    const signInAs = async (address: string, password: string) => {
      // From another address each time, so that no attempt is throttled.
      const headers = { "x-forwarded-for": `198.51.100.${++places}` };
      return console.guest().call(signIn, { body: { email: address, password }, headers });
    };
    const [control = 0] = console.server.processes("control");
    const attempt = async (address: string) => {
      const before = cpuMsOf(control);
      const { status, text, headers } = await signInAs(address, "not the password at all");
      const body = text.replace(/req_\w+/, "");
      return {
        cpuMs: cpuMsOf(control) - before,
        told: [status, body, headers.getSetCookie(), [...headers.keys()].sort()],
      };
    };
    const known: Awaited<ReturnType<typeof attempt>>[] = [];
    const unknown: Awaited<ReturnType<typeof attempt>>[] = [];
    // What others do on the machine changes how long an answer takes, but hardly what it costs.
    const mean = (attempts: readonly { cpuMs: number }[]) =>
      attempts.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / attempts.length;
    const difference = () => Math.abs(mean(known) / mean(unknown) - 1);
    for (let round = 0; round < ROUNDS_MIN || (round < ROUNDS_MAX && difference() >= DIFFERENCE_MAX); round += 1) {
      const both = [
        async () => void known.push(await attempt(email)),
        async () => void unknown.push(await attempt(`nobody${round}@example.com`)),
      ];
      // Each comes first in turn, and so after a sign-in that may still have something to do.
      for (const act of round % 2 === 0 ? both : both.toReversed()) await act();
      expect((await signInAs(email, PASSWORD)).status).toBe(200);
    }
    for (const { told } of [...known, ...unknown]) expect(told).toEqual(known[0]?.told ?? []);
    expect(known[0]?.told[0]).toBe(401);
    expect(difference()).toBeLessThan(DIFFERENCE_MAX);
    // Hashing 19 MiB twice takes longer than this on any machine: neither is answered without a hash.
    expect(mean(unknown)).toBeGreaterThan(HASH_MS_MIN);
    expect(mean(known)).toBeGreaterThan(HASH_MS_MIN);
  });

  test("after five failures even the right password has to wait", async () => {
    const { email } = await console.newOwner();
    const fail = () => console.guest().signIn(email, "not the password at all");
    for (let round = 0; round < 4; round += 1) expect(outcomeOf(await fail())).toBe("401 sign_in_failed");
    let answer: Awaited<ReturnType<typeof fail>> | undefined;
    await expectThrottled(async () => {
      const failed = await fail();
      if (failed.status === 429) answer = failed;
      return outcomeOf(failed);
    }, "401 sign_in_failed");
    // A failure that was late may have made the wait longer.
    while (answer?.status === 429) {
      expect(answer.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
      await Bun.sleep(Number(answer.headers.get("retry-after")) * 1000);
      answer = await console.guest().signIn(email);
    }
    expect(answer?.status).toBe(200);
  });

  test("strangers can't lock out a known browser or a session that re-authenticates", async () => {
    const owner = await console.newOwner();
    const { email } = owner;
    const at = (address: string) => ({ headers: { "x-forwarded-for": address } });
    const fail = (address: string) =>
      console.guest().call(signIn, { body: { email, password: "not the password at all" }, ...at(address) });
    // Many strangers, one of them in the person's own network.
    const places = Array.from({ length: 60 }, (_, n) => `203.0.113.${n % 12}`);
    const outcomes = await inBatches(places, async (place) => outcomeOf(await fail(place)));
    expect(new Set(outcomes)).toEqual(new Set(["401 sign_in_failed", "429 rate_limited"]));
    expect(outcomes.filter((outcome) => outcome.startsWith("401")).length).toBeLessThanOrEqual(50);
    const password = { body: { email, password: PASSWORD } };
    const stranger = await console.guest().call(signIn, { ...password, ...at("203.0.113.0") });
    expect(outcomeOf(stranger)).toBe("429 rate_limited");
    const confirmed = await owner.call(confirmPassword, { body: { password: PASSWORD }, ...at("203.0.113.0") });
    expect(outcomeOf(confirmed)).toBe("204");
    await owner.do(signOut);
    expect(outcomeOf(await owner.call(signIn, { ...password, ...at("203.0.113.0") }))).toBe("200");
  });

  test("a changed password makes every other browser a stranger again", async () => {
    const owner = await console.newOwner();
    const { email } = owner;
    const at = (address: string) => ({ headers: { "x-forwarded-for": address } });
    const other = console.guest();
    await other.signIn(email);
    const password = "four large brown herons";
    await owner.do(changePassword, { body: { current: PASSWORD, password } });
    // So many strangers that all others have to wait for minutes.
    const wrong = { body: { email, password: "not the password at all" } };
    const places = Array.from({ length: 60 }, (_, n) => `198.51.100.${n % 12}`);
    await inBatches(places, (address) => console.guest().call(signIn, { ...wrong, ...at(address) }));
    const right = { body: { email, password }, ...at("198.51.100.77") };
    expect(outcomeOf(await other.call(signIn, right))).toBe("429 rate_limited");
    await owner.do(signOut);
    expect(outcomeOf(await owner.call(signIn, right))).toBe("200");
  });

  test("a reset link works although others in the network tried invalid ones", async () => {
    const { email } = await console.newOwner();
    const { url } = (await sendToServer(dataPaths(console.server.dataDir).adminSocket, "users reset-link", {
      email,
    })) as { url: string };
    const reset = (token: string) =>
      console.guest().call(resetPassword, { body: { token, password: "four large brown herons" } });
    await Promise.all(Array.from({ length: 8 }, (_, n) => reset(`made-up-${n}`)));
    expect(outcomeOf(await reset(url.split("/").at(-1) ?? ""))).toBe("204");
  });
});

describe("the logs", () => {
  test("sign-ins and refusals are in the audit log, without what was typed", async () => {
    const { email } = await console.newOwner();
    await console.guest().signIn(email, "a wrong password\r\nwith lines");
    const entries = () =>
      readRecords<{ action: string; actor: string; details: string }>(
        console.server,
        `select action, actor, details from audit_log
          where subject = (select id from users where email = ?) order by no`,
        email,
      );
    await until("the refusal is logged", () => entries().some(({ action }) => action === "session.refused"));
    expect(entries().map(({ action, actor, details }) => [action, actor.slice(0, 8), details])).toEqual([
      ["session.started", "user:usr", '{"method":"password"}'],
      ["session.refused", "visitor", '{"method":"password"}'],
    ]);
    expect(console.server.output.stdout + console.server.output.stderr).not.toContain("a wrong password");
  });

  test("the log has one line per call, whatever the user agent", async () => {
    const userAgent = 'a"\t{"fake":1}';
    const { headers } = await console
      .guest()
      .request("GET", "/console/api/state", { headers: { "user-agent": userAgent } });
    const id = headers.get("x-request-id") ?? "";
    // The text after the last line break may be half a line.
    const lines = () => console.server.output.stdout.split("\n").slice(0, -1);
    const ofTheCall = () => lines().filter((line) => line.includes(id));
    await until("the line is written", () => ofTheCall().length > 0);
    expect(ofTheCall()).toHaveLength(1);
    expect(console.server.output.stdout).not.toContain("fake");
    for (const line of lines()) JSON.parse(line);
  });
});
