import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FILES } from "./completion-scripts.ts";
import type { Io } from "./io.ts";
import { ProfileStore } from "./profile-store.ts";
import { runKurz } from "./run.ts";

const home = mkdtempSync(join(tmpdir(), "kurz-cli-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** What the instance gets, and what it answers. */
interface Received {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: unknown;
}
let requests: Received[] = [];
let answer: (request: Received) => Response = () => new Response(null, { status: 500 });
const instance = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  async fetch(request) {
    const { method, url, headers } = request;
    const received = { method, url: new URL(url), headers, body: JSON.parse((await request.text()) || "null") };
    requests.push(received);
    return answer(received);
  },
});
afterAll(() => instance.stop(true));
beforeEach(() => {
  requests = [];
});

const signedIn = { KURZ_URL: instance.url.origin, KURZ_TOKEN: "kurz_test" };

async function run(
  args: readonly string[],
  env: Readonly<Record<string, string>> = signedIn,
  terminal: Partial<Io> = {},
) {
  const [out, err]: [string[], string[]] = [[], []];
  const nobody = async (): Promise<string> => {
    throw new Error("nobody is there to answer");
  };
  const io: Io = {
    out: async (text) => void out.push(text),
    err: async (text) => void err.push(text),
    ...{ outIsTerminal: false, errIsTerminal: false, inIsTerminal: false, columns: 80 },
    ...{ ask: nobody, askSecretly: nobody, readInput: nobody },
    ...terminal,
  };
  const code = await runKurz(args, { XDG_CONFIG_HOME: home, ...env }, io);
  return { code, out: out.join(""), err: err.join("") };
}

const newStore = () => new ProfileStore({ XDG_CONFIG_HOME: home }, () => {});

const page = (...data: readonly object[]) =>
  Response.json({ data, has_more: false, next_cursor: null, previous_cursor: null });

const asked = () => requests.map(({ url }) => url.searchParams);

describe("completion", () => {
  const complete = async (...words: string[]) =>
    (await run(["__complete", "--", ...words])).out.split("\n").flatMap((line) => line.split("\t")[0] || []);

  test("never offers what a shell could run, or take for an option", async () => {
    const slugs = ["good-1", "$(echo OWNED)", "`id`", "a;b", "--yes", "a b", "a\nb"];
    answer = () => page(...slugs.map((slug) => ({ slug, title: null, destination_url: "https://example.com/" })));
    expect(await complete("links", "show", "")).toEqual(["good-1"]);
  });

  test.each([
    ["pause", ["active"]],
    ["resume", ["paused"]],
    ["unarchive", ["archived"]],
    ["restore", ["deleted"]],
    ["show", ["active", "paused"]],
  ])("of links %s offers links that are %p", async (command, states) => {
    answer = () => page({ slug: "sale", title: null, destination_url: "https://example.com/" });
    expect(await complete("links", command, "")).toEqual(["sale"]);
    expect(asked()[0]?.getAll("state")).toEqual(states);
  });

  test.each([[["--profile", "other"]], [["--profile=other"]]])("asks the instance of %p", async (option) => {
    answer = () => page({ slug: "sale", title: null, destination_url: "https://example.com/" });
    newStore().save("other", {
      url: instance.url.origin,
      token: "kurz_other",
    });
    expect(await complete("links", "show", ...option, "")).toEqual(["sale"]);
    expect(requests[0]?.headers.get("authorization")).toBe("Bearer kurz_other");
  });

  test("knows values that are typed with their option, as one word", async () => {
    expect(await complete("links", "list", "--state=del")).toEqual(["--state=deleted"]);
    expect(await complete("links", "list", "--sort=-cl")).toEqual(["--sort=-click_count"]);
    expect(await complete("completion", "--profile=other", "fi")).toEqual(["fish"]);
  });

  test.each([
    [["qr", "sale", "--out", ""], [FILES]],
    [["qr", "sale", "--out=co"], [FILES]],
    [["qr", "sale", "--size", ""], []],
    [["shorten", ""], []],
    [["frobnicate", ""], []],
  ])("has the shell offer files where an argument is one: %p has %p", async (words, expected) => {
    expect(await complete(...words)).toEqual(expected);
  });
});

describe("several links", () => {
  const linkOf = (slug: string) => ({ id: `lnk_${slug}`, slug, short_url: `https://s.example/${slug}` });
  const refusal = (status: number, code: string) => () =>
    Response.json({ error: { code, message: "No.", request_id: "req_1" } }, { status });
  /** Finds all links but those that are missing, and fails to change those in `broken`. */
  const serve = (missing: readonly string[], broken: Readonly<Record<string, () => Response>>): void => {
    answer = ({ method, url }) => {
      const slug = url.searchParams.get("slug") ?? "";
      if (method === "GET") return missing.includes(slug) ? page() : page(linkOf(slug));
      const id = url.pathname.split("/")[4] ?? "";
      const failed = broken[id];
      if (failed) return failed();
      return method === "DELETE" ? new Response(null, { status: 204 }) : Response.json(linkOf(id.slice(4)));
    };
  };

  test("are each reported, and the exit code is the highest", async () => {
    serve(["b"], { lnk_c: refusal(409, "invalid_state") });
    expect(await run(["links", "pause", "a", "b", "c", "d"])).toEqual({
      code: 5,
      out: "s.example/a is paused.\ns.example/d is paused.\n",
      err: 'kurz: b: no link has the slug "b"\nkurz: c: No.\n  request req_1\n',
    });
  });

  test("that are erased are reported with --json, even if another isn't", async () => {
    serve([], { lnk_b: refusal(403, "insufficient_role") });
    const { code, out, err } = await run(["links", "delete", "--permanent", "--yes", "--json", "a", "b"]);
    expect(code).toBe(4);
    expect(JSON.parse(out)).toEqual({ data: [{ id: "lnk_a", short_url: "https://s.example/a", permanent: true }] });
    expect(JSON.parse(err)).toEqual({
      error: { code: "insufficient_role", message: "No.", request_id: "req_1", exit_code: 4, link: "s.example/b" },
    });
  });

  test("are only deleted if all of them are found", async () => {
    serve(["b"], {});
    expect(await run(["links", "delete", "--yes", "a", "b"])).toMatchObject({ code: 3, out: "" });
    expect(requests.filter(({ method }) => method === "DELETE")).toEqual([]);
  });
});

test("an update is one request, so that it changes everything or nothing", async () => {
  const link = { id: "lnk_a", slug: "a", short_url: "https://s.example/a", version: 7, tags: ["Spring", "old"] };
  answer = () => page(link);
  await run(["links", "update", "a", "--title", "New", "--tag", "sale", "--untag", "SPRING"]);
  const [found, ...changes] = requests;
  expect(found?.method).toBe("GET");
  expect(changes).toMatchObject([{ method: "PATCH", body: { title: "New", tags: ["old", "sale"] } }]);
  expect(changes[0]?.headers.get("if-match")).toBe('"7"');
});

test.each([
  [[], "100"],
  [["--limit", "7"], "7"],
])("all links are fetched page by page: with %p, %s at a time", async (options, limit) => {
  answer = () => page();
  await run(["links", "list", "--all", ...options]);
  expect(asked().map((query) => query.get("limit"))).toEqual([limit]);
});

describe("an answer that isn't from Kurz", () => {
  test.each([
    [429, 6],
    [502, 6],
    [503, 6],
    [504, 6],
    [404, 1],
    [200, 1],
  ])("with the status %d exits with %d", async (status, code) => {
    // So that nothing is tried again.
    answer = () => new Response("<h1>proxy</h1>", { status, headers: { "Retry-After": "3600" } });
    expect((await run(["links", "pause", "lnk_1"])).code).toBe(code);
  });
});

test("when to try again is said once", async () => {
  const failed = (message: string) => () =>
    Response.json(
      { error: { code: "rate_limited", message, request_id: null } },
      { status: 429, headers: { "Retry-After": "3600" } },
    );
  answer = failed("Too many requests. Try again in 60 minutes.");
  expect((await run(["whoami"])).err).toBe("kurz: Too many requests. Try again in 60 minutes.\n");
  answer = failed("Too many requests.");
  expect((await run(["whoami"])).err).toBe("kurz: Too many requests. Try again in 3600 seconds.\n");
});

test("standard error has colours by its own terminal", async () => {
  answer = () => Response.json({ error: { code: "not_found", message: "No.", request_id: "req_1" } }, { status: 404 });
  const piped = await run(["whoami"], signedIn, { outIsTerminal: true, errIsTerminal: false });
  expect(piped.err).toBe("kurz: No.\n  request req_1\n");
  expect((await run(["whoami"], signedIn, { errIsTerminal: true })).err).toContain("\x1b[2m");
});

test("without a home directory that can be read, KURZ_URL and KURZ_TOKEN are enough", async () => {
  answer = () => page();
  expect(await run(["links", "list"], { ...signedIn, XDG_CONFIG_HOME: "/dev/null" })).toMatchObject({
    code: 0,
    err: "",
  });
});

test("a token that can't be one exits as one that isn't valid", async () => {
  expect((await run(["whoami"], { ...signedIn, KURZ_TOKEN: "Bearer kurz_test" })).code).toBe(4);
  expect(requests).toEqual([]);
});

test("links are listed from a day on", async () => {
  answer = () => page();
  await run(["links", "list", "--created-after", "2026-11-01", "--created-before", "1d"]);
  expect(asked()[0]?.get("created_after")).toBe(new Date(2026, 10, 1).toISOString());
  expect(Date.parse(asked()[0]?.get("created_before") ?? "")).toBeLessThan(Date.now());
});

describe("signing in to another instance", () => {
  const login = (...options: string[]) =>
    run(["login", instance.url.origin, "--token-stdin", ...options], {}, { readInput: async () => "kurz_new" });
  const old = { url: "https://old.example", token: "kurz_old" };

  test("doesn't replace the current profile unless it is named", async () => {
    newStore().save("main", old);
    newStore().choose("main");
    answer = () => Response.json({ account: { name: "Acme" }, token: { scopes: [], expires_at: null } });
    const refused = await login();
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining("signed in to https://old.example")]);
    expect([newStore().find("main"), requests]).toEqual([old, []]);
    expect((await login("--profile", "main")).code).toBe(0);
    expect(newStore().find("main")).toEqual({ url: instance.url.origin, token: "kurz_new" });
    expect((await login()).code).toBe(0);
  });
});

test("with LANG=C everything of our own is ASCII", async () => {
  const period = { from: "2026-11-01T00:00:00Z", to: "2026-11-03T00:00:00Z", timezone: "UTC", granularity: "day" };
  const totals = { clicks: 3, unique_visitors: null, qr_scans: 0, bot_hits: 0 };
  const items = [{ key: `${"long.".repeat(20)}example`, clicks: 3 }];
  const series = [{ start: period.from, clicks: 3 }];
  answer = ({ url }) =>
    url.pathname.endsWith("/analytics")
      ? Response.json({ period, totals, series, breakdowns: { referrer: { items } } })
      : page({ id: "lnk_a", slug: "a", short_url: "https://s.example/a" });
  for (const args of [["stats"], ["qr", "a"]]) {
    const { code, out } = await run(args, { ...signedIn, LANG: "C", NO_COLOR: "1" }, { outIsTerminal: true });
    expect([code, out]).toEqual([0, expect.stringMatching(/^[\x20-\x7e\n]+$/)]);
  }
});
