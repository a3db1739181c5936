import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CspEvaluator } from "csp_evaluator";
import { CspParser } from "csp_evaluator/dist/parser.js";
import { Cookie } from "tough-cookie";
import {
  confirmPassword,
  getState,
  setUp,
  signIn,
  signOut,
  signUp,
  startPasskeySignIn,
} from "#contract/console/session.ts";
import { listSessions, updateUser } from "#contract/console/user.ts";
import {
  ConsoleClient,
  type ConsoleServer,
  OWNER_EMAIL,
  outcomeOf,
  PASSWORD,
  setUpCodeOf,
  startConsole,
} from "#test/support/console-client.ts";
import { type KurzServer, startKurz } from "#test/support/kurz-server.ts";
import { until } from "#test/support/until.ts";

const HASH_MS_MIN = 5;
const DIFFERENCE_MAX = 0.2;
const ROUNDS_MIN = 4;
const ROUNDS_MAX = 60;

let console: ConsoleServer;
beforeAll(async () => {
  console = await startConsole({ KURZ_TRUST_PROXY: "1" });
});
afterAll(() => console.stop());

const person = { email: "eve@example.com", name: "Eve", account_name: "Evil", password: PASSWORD };

describe("the first set-up", () => {
  let fresh: KurzServer;
  beforeAll(async () => {
    fresh = await startKurz({ env: { KURZ_REDIRECT_PROCESSES: "1" } });
  });
  afterAll(() => fresh.stop());

  test("works once, with the code that was printed, and opens the first account", async () => {
    const guest = new ConsoleClient(`http://localhost:${fresh.port}`);
    expect(await guest.state()).toMatchObject({ setup_required: true, session: null });
    const wrong = await guest.call(setUp, { body: { code: "guess", ...person } });
    expect(outcomeOf(wrong)).toBe("422 validation_failed");
    const body = { code: setUpCodeOf(fresh), ...person };
    const weak = await guest.call(setUp, { body: { ...body, password: "qwerty123456" } });
    expect(outcomeOf(weak)).toBe("422 validation_failed");
    await guest.do(setUp, { body });
    const { session, setup_required } = await guest.state();
    expect(setup_required).toBe(false);
    expect(session?.accounts).toMatchObject([{ name: "Evil", role: "owner", suspended: false }]);
    const again = await new ConsoleClient(guest.url).call(setUp, { body: { ...body, email: "x@example.com" } });
    expect(outcomeOf(again)).toBe("422 validation_failed");
    expect(await Bun.file(`${fresh.dataDir}/setup.code`).exists()).toBe(false);
  });

  test("of many who come with the same code at the same moment one is let in", async () => {
    const server = await startKurz({ env: { KURZ_REDIRECT_PROCESSES: "1" } });
    try {
      const code = setUpCodeOf(server);
      const guests = Array.from({ length: 4 }, () => new ConsoleClient(`http://localhost:${server.port}`));
      const outcomes = await Promise.all(
        guests.map(async (guest, n) =>
          outcomeOf(await guest.call(setUp, { body: { code, ...person, email: `eve${n}@example.com` } })),
        ),
      );
      expect(outcomes.toSorted()).toEqual(["204", ...Array<string>(3).fill("422 validation_failed")]);
    } finally {
      await server.stop();
    }
  });

  test("the code is no longer printed or kept once there is a user, also one that the operator made", async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "kurz-setup-"));
    const env = { KURZ_REDIRECT_PROCESSES: "1" };
    try {
      const first = await startKurz({ env, dataDir });
      const code = setUpCodeOf(first);
      expect(statSync(join(dataDir, "setup.code")).mode & 0o777).toBe(0o600);
      await first.stop();
      const second = await startKurz({ env, dataDir });
      expect(setUpCodeOf(second)).toBe(code);
      const weak = await second.kurz(
        ["accounts", "create", "--email", "a@example.com", "--name", "A"],
        "qwerty123456\n",
      );
      expect([weak.code !== 0, weak.stderr.includes("tried first")]).toEqual([true, true]);
      await second.newAccount();
      const guest = new ConsoleClient(`http://localhost:${second.port}`);
      expect((await guest.state()).setup_required).toBe(false);
      expect(outcomeOf(await guest.call(setUp, { body: { code, ...person } }))).toBe("422 validation_failed");
      await second.stop();
      const third = await startKurz({ env, dataDir });
      expect(third.output.stderr).not.toContain("setup?code");
      expect(existsSync(join(dataDir, "setup.code"))).toBe(false);
      await third.stop();
    } finally {
      rmSync(dataDir, { recursive: true, force: true });
    }
  });

  test("nobody signs up where sign-up is closed, which it is unless the operator says otherwise", async () => {
    const guest = new ConsoleClient(`http://localhost:${fresh.port}`);
    expect((await guest.state()).signup).toBe("closed");
    const answer = await guest.call(signUp, { body: { ...person, email: "new@example.com" } });
    expect(outcomeOf(answer)).toBe("404 not_found");
  });
});

describe("a forged request", () => {
  const cases: readonly (readonly [string, Record<string, string>, string])[] = [
    ["from another site", { "sec-fetch-site": "cross-site" }, "403 cross_site"],
    ["from a sibling domain", { "sec-fetch-site": "same-site" }, "403 cross_site"],
    ["typed in by hand", { "sec-fetch-site": "none" }, "403 cross_site"],
    ["from another origin", { origin: "https://evil.example" }, "403 cross_site"],
    ["from a hidden origin", { origin: "null" }, "403 cross_site"],
    ["from another port", { origin: "http://localhost:1" }, "403 cross_site"],
    ["that says nothing", {}, "403 cross_site"],
    ["that lies in one header only", { "sec-fetch-site": "cross-site", origin: "<ours>" }, "403 cross_site"],
    ["from our own page", { "sec-fetch-site": "same-origin" }, "200"],
    ["from our own page in an old browser", { origin: "<ours>" }, "200"],
  ];

  test.each(cases)("%s", async (_, headers, outcome) => {
    const cookie = await console.owner.jar.getCookieString(console.url);
    const sent = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, value.replace("<ours>", console.url)]),
    );
    const response = await fetch(console.url + updateUser.path, {
      method: "PATCH",
      headers: { cookie, "content-type": "application/json", ...sent },
      body: JSON.stringify({ name: "Ada" }),
    });
    const text = await response.text();
    expect(response.ok ? String(response.status) : `${response.status} ${JSON.parse(text).error.code}`).toBe(outcome);
  });

  test("cannot sign anyone in either", async () => {
    const guest = console.guest();
    const answer = await guest.call(signIn, {
      body: { email: OWNER_EMAIL, password: PASSWORD },
      headers: { "sec-fetch-site": "cross-site" },
    });
    expect(outcomeOf(answer)).toBe("403 cross_site");
    expect(answer.headers.getSetCookie()).toEqual([]);
  });

  test("reading needs no such proof, and no other site may read the answer", async () => {
    const answer = await console.owner.call(getState, { headers: { "sec-fetch-site": "cross-site" } });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("access-control-allow-origin")).toBeNull();
  });
});

describe("a session", () => {
  test("its cookie is out of reach for scripts and other sites", async () => {
    const answer = await console.guest().signIn(OWNER_EMAIL);
    const cookies = answer.headers.getSetCookie().map((line) => Cookie.parse(line));
    expect(cookies.length).toBeGreaterThan(0);
    for (const cookie of cookies) {
      expect(cookie).toMatchObject({ httpOnly: true, sameSite: "lax", path: "/", domain: null, secure: false });
    }
  });

  test("on https its cookie is Secure and says so in its name", async () => {
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

  test("gets a new id at sign-in, and the one before is dead", async () => {
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

  test("a cookie that was planted before sign-in is not taken over", async () => {
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

  test("signing out kills the cookie, also a copy of it", async () => {
    const client = console.guest();
    await client.signIn(OWNER_EMAIL);
    const copy = console.guest();
    copy.jar.setCookieSync(`kurz.session_token=${await client.sessionCookie()}`, console.url);
    await client.do(signOut);
    expect(await client.sessionCookie()).toBeUndefined();
    expect((await copy.state()).session).toBeNull();
    expect(outcomeOf(await copy.call(listSessions))).toBe("401 not_signed_in");
  });

  test("one changed character of its cookie makes it worthless", async () => {
    const value = (await console.owner.sessionCookie()) ?? "";
    const changed = (value.startsWith("x") ? "y" : "x") + value.slice(1);
    for (const forged of [value.slice(0, -3), changed, value.split(".")[0] ?? "", ""]) {
      const client = console.guest();
      client.jar.setCookieSync(`kurz.session_token=${forged}`, console.url);
      expect((await client.state()).session).toBeNull();
    }
  });
});

describe("guessing", () => {
  test("a wrong password and an unknown address are told apart by nothing, not even by the time they take", async () => {
    const { email } = await console.newOwner();
    let places = 0;
    const signInAs = async (address: string, password: string) => {
      // From another place each time: nobody is to be slowed down here.
      const headers = { "x-forwarded-for": `198.51.100.${++places}` };
      const startedMs = performance.now();
      const answer = await console.guest().call(signIn, { body: { email: address, password }, headers });
      return { ...answer, ms: performance.now() - startedMs };
    };
    const attempt = async (address: string) => {
      const { status, text, headers, ms } = await signInAs(address, "not the password at all");
      const body = text.replace(/req_\w+/, "");
      return { ms, told: [status, body, headers.getSetCookie(), [...headers.keys()].sort()] };
    };
    const known: Awaited<ReturnType<typeof attempt>>[] = [];
    const unknown: Awaited<ReturnType<typeof attempt>>[] = [];
    // A busy machine only ever adds to a time, so the shortest of each kind comes ever closer to what the work takes.
    const least = (times: readonly { ms: number }[]) => Math.min(...times.map(({ ms }) => ms));
    const difference = () => Math.abs(least(known) / least(unknown) - 1);
    for (let round = 0; round < ROUNDS_MIN || (round < ROUNDS_MAX && difference() >= DIFFERENCE_MAX); round += 1) {
      known.push(await attempt(email));
      unknown.push(await attempt(`nobody${round}@example.com`));
      // A success lets the failures before it be forgotten.
      expect((await signInAs(email, PASSWORD)).status).toBe(200);
    }
    for (const { told } of [...known, ...unknown]) expect(told).toEqual(known[0]?.told ?? []);
    expect(known[0]?.told[0]).toBe(401);
    expect(difference()).toBeLessThan(DIFFERENCE_MAX);
    // Two passes over 19 MiB take longer than this on any machine: neither is answered without a hash.
    expect(least(unknown)).toBeGreaterThan(HASH_MS_MIN);
    expect(least(known)).toBeGreaterThan(HASH_MS_MIN);
  });

  test("the sixth failure has to wait, and even the right password with it", async () => {
    const { email } = await console.newOwner();
    for (let round = 0; round < 5; round += 1) {
      expect(outcomeOf(await console.guest().signIn(email, "not the password at all"))).toBe("401 sign_in_failed");
    }
    const sixth = await console.guest().signIn(email, "not the password at all");
    expect(outcomeOf(sixth)).toBe("429 rate_limited");
    expect(sixth.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
    await Bun.sleep(Number(sixth.headers.get("retry-after")) * 1000);
    expect(outcomeOf(await console.guest().signIn(email))).toBe("200");
  });
});

describe("what happened", () => {
  test("sign-ins and refusals are in the audit log, without what was typed", async () => {
    const { email } = await console.newOwner();
    await console.guest().signIn(email, "a wrong password\r\nwith lines");
    const entries = () => {
      const records = new Database(`${console.server.dataDir}/records.db`, { readonly: true });
      const rows = records
        .query("select action, actor, details from audit_log where subject = (select id from users where email = ?)")
        .all(email) as { action: string; actor: string; details: string }[];
      records.close();
      return rows;
    };
    await until("the refusal is noted", () => entries().some(({ action }) => action === "session.refused"));
    expect(entries().map(({ action, actor, details }) => [action, actor.slice(0, 8), details])).toEqual([
      ["session.started", "user:usr", '{"method":"password"}'],
      ["session.refused", "visitor", '{"method":"password"}'],
    ]);
    expect(console.server.output.stdout + console.server.output.stderr).not.toContain("a wrong password");
  });

  test("the log has one line for a call, whatever the browser calls itself", async () => {
    const before = console.server.output.stdout.split("\n").length;
    await console.guest().request("GET", "/console/api/state", { headers: { "user-agent": 'a"\t{"fake":1}' } });
    await until("the line is there", () => console.server.output.stdout.split("\n").length > before);
    expect(console.server.output.stdout).not.toContain("fake");
    for (const line of console.server.output.stdout.trim().split("\n")) JSON.parse(line);
  });
});

describe("a sign-up that is open to all", () => {
  test("opens an account, and not one after the other from one place", async () => {
    const open = await startConsole({ KURZ_SIGNUP: "open" });
    try {
      const outcomes = [];
      for (let n = 0; n < 6; n += 1) {
        const body = { ...person, email: `person${n}@example.com` };
        outcomes.push(outcomeOf(await open.guest().call(signUp, { body })));
      }
      expect(outcomes).toEqual(["204", "204", "204", "204", "204", "429 rate_limited"]);
    } finally {
      await open.stop();
    }
  });

  test("takes no address twice", async () => {
    const answer = await console.guest().call(signUp, { body: { ...person, email: OWNER_EMAIL } });
    expect(outcomeOf(answer)).toBe("409 already_exists");
  });
});

describe("the page", () => {
  test("its policy has no weakness that an evaluator knows", async () => {
    const response = await console.guest().request("GET", "/console");
    expect(response.headers.get("content-type")).toStartWith("text/html");
    const policy = response.headers.get("content-security-policy") ?? "";
    const findings = new CspEvaluator(new CspParser(policy).csp).evaluate();
    expect(findings.filter(({ severity }) => severity <= 30).map(({ description }) => description)).toEqual([]);
  });

  test("every address of the console shows it, and what belongs to it is kept for good", async () => {
    const guest = console.guest();
    const html = await (await guest.request("GET", "/console/a/acc_1/links?x=1")).text();
    expect(html).toBe(await (await guest.request("GET", "/console")).text());
    const script = /src="(\/console\/assets\/[^"]+)"/.exec(html)?.[1] ?? "";
    const asset = await guest.request("GET", script);
    expect([asset.status, asset.headers.get("cache-control")]).toEqual([200, "public, max-age=31536000, immutable"]);
    expect((await guest.request("GET", "/console/assets/none.js")).status).toBe(404);
    expect((await guest.request("POST", "/console")).status).toBe(405);
  });

  test("the front door leads to it", async () => {
    expect((await console.guest().request("GET", "/")).headers.get("location")).toBe("/console");
  });
});
