import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setUp, signUp } from "#contract/console/session.ts";
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
import { expectThrottled } from "#test/support/throttled.ts";

const person = { email: "eve@example.com", name: "Eve", account_name: "Evil", password: PASSWORD };

describe("the first set-up", () => {
  let fresh: KurzServer;
  beforeAll(async () => {
    fresh = await startKurz({ env: { KURZ_REDIRECT_PROCESSES: "1" } });
  });
  afterAll(() => fresh.stop());

  test("works once, with the printed code, and creates the first account", async () => {
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

  test("admits one of several people with the same code at the same time", async () => {
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

  test("no longer prints or keeps the code once there is a user, even one created by the operator", async () => {
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
      expect([weak.code !== 0, weak.stderr.includes("too common")]).toEqual([true, true]);
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

  test("leaves sign-up to invited people by default", async () => {
    const guest = new ConsoleClient(`http://localhost:${fresh.port}`);
    expect((await guest.state()).signup).toBe("invite");
    const answer = await guest.call(signUp, { body: { ...person, email: "new@example.com" } });
    expect(outcomeOf(answer)).toBe("404 not_found");
  });
});

describe("open sign-up", () => {
  let open: ConsoleServer;
  beforeAll(async () => {
    open = await startConsole({ KURZ_SIGNUP: "open", KURZ_TRUST_PROXY: "1" });
  });
  afterAll(() => open.stop());

  const signUpFrom = async (place: string, email: string): Promise<string> => {
    const headers = { "x-forwarded-for": place };
    return outcomeOf(await open.guest().call(signUp, { body: { ...person, email }, headers }));
  };

  test("creates an account, but only a few per network", async () => {
    const signUpAs = (n: number) => signUpFrom("198.51.100.1", `person${n}@example.com`);
    for (let n = 0; n < 4; n += 1) expect(await signUpAs(n)).toBe("204");
    await expectThrottled((n) => signUpAs(4 + n), "204");
  });

  test("refuses an address that is registered", async () => {
    expect(await signUpFrom("198.51.100.2", OWNER_EMAIL)).toBe("409 already_exists");
  });
});
