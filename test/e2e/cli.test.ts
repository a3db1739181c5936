import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Kurz } from "#sdk/client.ts";
import { click, untilReported } from "#test/support/clicks.ts";
import { startKurz } from "#test/support/kurz-server.ts";
import { openPty, type Pty } from "#test/support/pty.ts";
import { pixelsOf, readWithJsQr } from "#test/support/qr-decoders.ts";
import { installRuntimes, nodes } from "#test/support/runtimes.ts";
import { version } from "../../package.json";

const TIMEOUT_MS = 600_000;
// The file as people download it, under the name that they give it, and nothing beside it.
const home = mkdtempSync(join(tmpdir(), "kurz-cli-"));
const bin = join(home, "bin");
const program = join(bin, "kurz");
mkdirSync(bin);
copyFileSync(join(import.meta.dir, "..", "..", "dist", "clients", "kurz"), program);
afterAll(() => rmSync(home, { recursive: true, force: true }));

await installRuntimes();
const server = await startKurz({ env: { KURZ_REDIRECT_PROCESSES: "1" } });
afterAll(() => server.stop());
const token = await server.newToken(await server.newAccount());
const kurz = new Kurz({ baseUrl: server.url, token });
/** The address of the instance as it is configured, which is not the one that these tests connect to. */
const shortOf = (slug: string): string => `http://localhost:${server.port}/${slug}`;

const PATH = `${bin}:${process.env.PATH}`;
const signedIn = { KURZ_URL: server.url, KURZ_TOKEN: token };

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  readonly runtime?: readonly string[];
}

async function run(args: readonly string[], { env = signedIn, input, runtime = [] }: RunOptions = {}): Promise<Ran> {
  const child = Bun.spawn([...runtime, program, ...args], {
    env: { PATH, HOME: home, TZ: "UTC", ...env },
    cwd: home,
    stdin: input === undefined ? "ignore" : new Blob([input]),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { code, out, err };
}

/** What a command prints with `--json`. */
async function json(args: readonly string[]): Promise<unknown> {
  const { code, out, err } = await run([...args, "--json"]);
  if (code !== 0) throw new Error(`kurz ${args.join(" ")} ended with ${code}: ${err}`);
  return JSON.parse(out);
}

async function atTerminal(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  use: (pty: Pty) => Promise<void>,
) {
  const pty = openPty([program, ...args], { env: { PATH, HOME: home, TZ: "UTC", ...env }, cwd: home });
  try {
    await use(pty);
  } finally {
    pty.close();
  }
}

describe("the file", () => {
  const runtimes = Object.entries({ ...nodes, Bun: process.execPath });

  test.each(runtimes)(
    "runs in %s without anything beside it",
    async (_, runtime) => {
      expect(await run(["--version"], { runtime: [runtime] })).toEqual({ code: 0, out: `kurz ${version}\n`, err: "" });
      const { code, out } = await run(["whoami", "--json"], { runtime: [runtime] });
      expect([code, JSON.parse(out).url]).toEqual([0, server.url]);
    },
    TIMEOUT_MS,
  );

  test("is served by the instance, alone and as a package for npm", async () => {
    const alone = await fetch(`${server.url}/docs/clients/kurz`);
    expect(await alone.text()).toBe(readFileSync(program, "utf8"));
    const project = join(home, "installed");
    mkdirSync(project);
    const child = Bun.spawn(
      [
        ...[
          "npm",
          "install",
          "--global",
          "--prefix",
          project,
          "--registry=http://127.0.0.1:1",
          "--no-audit",
          "--no-fund",
        ],
        ...["--cache", join(home, ".npm"), `${server.url}/docs/clients/kurz-cli-${version}.tgz`],
      ],
      { env: { PATH, HOME: home }, stdout: "ignore", stderr: "pipe" },
    );
    const [complaint, exitCode] = await Promise.all([child.stderr.text(), child.exited]);
    expect({ exitCode, complaint }).toMatchObject({ exitCode: 0 });
    const { stdout } = Bun.spawnSync([join(project, "bin", "kurz"), "--version"], { env: { PATH } });
    expect(stdout.toString()).toBe(`kurz ${version}\n`);
  });

  test("has the licences of everything in it", () => {
    const text = readFileSync(program, "utf8");
    expect(text).toStartWith("#!/usr/bin/env node\n");
    expect(text).toContain("The Kurz authors");
    expect(text).toContain("Paul Miller");
  });
});

describe("signing in", () => {
  const config = join(home, "config", "kurz", "config.json");
  const env = { XDG_CONFIG_HOME: join(home, "config") };

  test(
    "asks for the address, and for the token without showing it, and checks both",
    async () => {
      await atTerminal(["login"], env, async (pty) => {
        await pty.sees("Address of your instance: ");
        pty.type(`${server.url}/console/links\r`);
        await pty.sees("API token: ");
        pty.type(`${token}\r`);
        await pty.sees(`Signed in to Test on ${server.url}.`);
        expect(await pty.exited).toBe(0);
        expect(pty.text()).not.toContain(token.slice(-20));
      });
      expect(statSync(config).mode & 0o777).toBe(0o600);
      const { code, out } = await run(["whoami"], { env });
      expect([code, out]).toEqual([0, expect.stringContaining(server.url)]);
    },
    TIMEOUT_MS,
  );

  test("with a token from standard input, as another profile, and signing out again", async () => {
    const args = ["login", server.url, "--token-stdin", "--profile", "second"];
    expect(await run(args, { env, input: `${token}\n` })).toMatchObject({ code: 0, err: "" });
    const listed = await run(["profiles", "list", "--json"], { env });
    expect(JSON.parse(listed.out)).toEqual({
      current: "default",
      data: [
        { name: "default", url: server.url },
        { name: "second", url: server.url },
      ],
    });
    expect((await run(["profiles", "use", "second"], { env })).code).toBe(0);
    expect((await run(["profiles", "use", "default"], { env })).code).toBe(0);
    expect((await run(["logout", "--profile", "second"], { env })).out).toContain("Signed out");
    expect((await run(["logout"], { env })).code).toBe(0);
    expect(await run(["whoami"], { env })).toMatchObject({
      code: 4,
      err: "kurz: you aren't signed in; run: kurz login\n",
    });
    expect(statSync(config, { throwIfNoEntry: false })).toBeUndefined();
  });

  test("with a wrong token stores nothing", async () => {
    const wrong = `${token.slice(0, -1)}${token.endsWith("a") ? "b" : "a"}`;
    const refused = await run(["login", server.url, "--token-stdin"], { env, input: wrong });
    expect([refused.code, refused.err]).toEqual([4, expect.stringMatching(/^kurz: .+\n {2}request req_\w+\n$/)]);
    expect(refused.err).not.toContain(wrong);
    expect(statSync(config, { throwIfNoEntry: false })).toBeUndefined();
  });

  test("needs a terminal, or a token on standard input", async () => {
    expect(await run(["login", server.url], { env })).toMatchObject({
      code: 2,
      err: expect.stringContaining("--token-stdin"),
    });
  });

  test("ends when the person presses Ctrl-C", async () => {
    await atTerminal(["login", server.url], env, async (pty) => {
      await pty.sees("API token: ");
      pty.type("\x03");
      expect(await pty.exited).toBe(130);
    });
  });
});

describe("links", () => {
  test("shorten prints the short link and nothing else, which then redirects", async () => {
    const made = await run([
      ...["shorten", "https://example.com/sale?a=1", "--slug", "cli-sale", "--title", "Sale", "--tag", "spring"],
      ...["--tag", "cli", "--expires", "7d"],
    ]);
    expect(made).toEqual({ code: 0, out: `${shortOf("cli-sale")}\n`, err: "" });
    const visited = await fetch(made.out.trim(), { redirect: "manual" });
    expect([visited.status, visited.headers.get("location")]).toEqual([302, "https://example.com/sale?a=1"]);
    const link = await json(["links", "show", "cli-sale"]);
    expect(link).toMatchObject({ title: "Sale", tags: ["spring", "cli"], state: "active" });
    const expires = Date.parse((link as { expires_at: string }).expires_at) - Date.now();
    expect(Math.round(expires / 86_400_000)).toBe(7);
    const again = await run(["shorten", "https://example.com/other", "--slug", "cli-sale"]);
    expect([again.code, again.out, again.err]).toEqual([5, "", expect.stringContaining("cli-sale")]);
  });

  test("are found by slug, domain and slug, short URL and id, and changed", async () => {
    const { id, domain } = await kurz.links.create({ destination_url: "https://example.com/found", slug: "cli-found" });
    for (const name of ["cli-found", `${domain}/cli-found`, shortOf("cli-found"), `${shortOf("cli-found")}+`, id]) {
      expect(await json(["links", "show", name])).toMatchObject({ id });
    }
    const changed = await json([
      "links",
      "update",
      "cli-found",
      "--title",
      "Neu",
      "--tag",
      "a",
      "--tag",
      "b",
      "--url",
      "https://example.com/new",
    ]);
    expect(changed).toMatchObject({ title: "Neu", tags: ["a", "b"], destination_url: "https://example.com/new" });
    expect(await json(["links", "update", "cli-found", "--title", "", "--untag", "a"])).toMatchObject({
      title: null,
      tags: ["b"],
    });
    expect(await run(["links", "update", "cli-found"])).toMatchObject({ code: 2 });
  });

  test("are paused, resumed, archived, deleted and restored", async () => {
    await kurz.links.create({ destination_url: "https://example.com/", slug: "cli-life" });
    const stateAfter = async (...args: string[]) => {
      const { code, err } = await run(["links", ...args]);
      expect({ code, err }).toEqual({ code: 0, err: "" });
      const { data } = await kurz.links.list({ slug: "cli-life", state: ["all"] });
      return data[0]?.state;
    };
    expect(await stateAfter("pause", "cli-life")).toBe("paused");
    expect(await stateAfter("resume", "cli-life")).toBe("active");
    expect(await stateAfter("archive", "cli-life")).toBe("archived");
    expect(await stateAfter("unarchive", "cli-life")).toBe("active");
    expect(await stateAfter("delete", "--yes", "cli-life")).toBeUndefined();
    expect(await stateAfter("restore", "cli-life")).toBe("active");
    expect(await stateAfter("archive", "cli-life")).toBe("archived");
    expect(await run(["links", "pause", "cli-life"])).toMatchObject({ code: 5 });
  });

  test("are only deleted once the person agrees", async () => {
    await kurz.links.create({ destination_url: "https://example.com/", slug: "cli-asked" });
    expect(await run(["links", "delete", "cli-asked"])).toMatchObject({
      code: 2,
      err: expect.stringContaining("--yes"),
    });
    const answer = (typed: string, code: number) =>
      atTerminal(["links", "delete", "cli-asked"], signedIn, async (pty) => {
        await pty.sees("/cli-asked? [y/N] ");
        pty.type(`${typed}\r`);
        expect(await pty.exited).toBe(code);
      });
    await answer("", 2);
    expect((await kurz.links.list({ slug: "cli-asked" })).data).toHaveLength(1);
    await answer("y", 0);
    expect((await kurz.links.list({ slug: "cli-asked" })).data).toHaveLength(0);
  });

  test("are listed with filters and pages", async () => {
    for (const slug of ["cli-l1", "cli-l2", "cli-l3"]) {
      await kurz.links.create({ destination_url: `https://example.com/${slug}`, slug, tags: ["listed"] });
    }
    const list = (...args: string[]) => json(["links", "list", "--tag", "listed", "--sort", "created_at", ...args]);
    const slugsOf = (page: unknown) => (page as { data: { slug: string }[] }).data.map(({ slug }) => slug);
    const first = await list("--limit", "2");
    expect(slugsOf(first)).toEqual(["cli-l1", "cli-l2"]);
    const { next_cursor } = first as { next_cursor: string };
    expect(slugsOf(await list("--limit", "2", "--cursor", next_cursor))).toEqual(["cli-l3"]);
    expect(await list("--all")).toMatchObject({ next_cursor: null, data: { length: 3 } });
    expect(slugsOf(await list("--search", "cli-l2"))).toEqual(["cli-l2"]);
    const { out } = await run(["links", "list", "--tag", "listed", "--limit", "2"]);
    expect(out).toMatch(
      /^SHORT LINK +CLICKS +STATE +DESTINATION +TITLE\nlocalhost[^\n]+\nlocalhost[^\n]+\n\nThere are more: --all, or --cursor \S+\n$/,
    );
    expect((await run(["links", "list", "--tag", "nothing"])).out).toBe("No matching links.\n");
  });

  test("of a hostile instance don't control the terminal, and neither do its errors", async () => {
    const hostile = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202eevil";
    const link = await kurz.links.create({ destination_url: "https://example.com/", slug: "cli-evil" });
    const data = [{ ...link, title: hostile, short_url: `${link.short_url}${hostile}`, tags: [hostile] }];
    const instance = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: ({ method, url }) =>
        method === "GET"
          ? Response.json({
              // A shell would run the second slug, which isn't what anything asks for.
              data: new URL(url).searchParams.has("slug") ? data : [...data, { ...link, slug: "$(echo run)" }],
              ...{ has_more: true, next_cursor: hostile, previous_cursor: null },
              ...{ account: { name: hostile }, plan: { id: hostile } },
              token: { name: hostile, scopes: [hostile], expires_at: null },
              period: { from: link.created_at, to: link.created_at, timezone: "UTC", granularity: hostile },
              totals: { clicks: hostile, unique_visitors: hostile, qr_scans: [hostile], bot_hits: hostile },
              series: [{ start: link.created_at, clicks: hostile }],
              breakdowns: { country: { items: [{ key: hostile, clicks: hostile }] } },
            })
          : Response.json({ error: { code: "bad_request", message: hostile, request_id: hostile } }, { status: 400 }),
    });
    try {
      const env = { KURZ_URL: instance.url.origin, KURZ_TOKEN: "kurz_hostile", NO_COLOR: "1" };
      for (const args of [
        ["links", "list"],
        ["links", "list", "--json"],
        ["links", "show", "cli-evil"],
        ["links", "pause", "cli-evil"],
        ["shorten", "https://example.com/"],
        ["shorten", "https://example.com/", "--json"],
        ["whoami"],
        ["stats"],
        ["__complete", "--", "links", "show", ""],
        ["qr", "cli-evil"],
      ]) {
        await atTerminal(args, env, async (pty) => {
          await pty.exited;
          await pty.sees("owned");
          expect(pty.text().replaceAll(/[\r\n\t]/g, "")).not.toMatch(/[\p{Cc}\p{Cf}]/u);
        });
      }
      expect((await run(["__complete", "--", "links", "show", ""], { env })).out).toMatch(/^cli-evil\t[^\n]+\n$/);
    } finally {
      await instance.stop(true);
    }
  });
});

describe("stats", () => {
  test(
    "show totals, a chart that fits, and where visitors came from",
    async () => {
      const link = await kurz.links.create({ destination_url: "https://example.com/", slug: "cli-stats" });
      const { totals } = await kurz.analytics.get({ interval: "24h", include_bots: true });
      for (let clicks = 0; clicks < 3; clicks += 1) {
        await click(server, link, { headers: { Referer: "https://news.example/" } });
      }
      await untilReported(kurz, totals.clicks + 3);
      expect(await json(["stats", "cli-stats", "--interval", "7d"])).toMatchObject({
        link: { slug: "cli-stats" },
        report: {
          totals: { clicks: 3 },
          period: { granularity: "day", timezone: "UTC" },
          breakdowns: { referrer: { items: [{ key: "news.example", clicks: 3 }] } },
        },
      });
      const { out } = await run(["stats", "cli-stats", "--interval", "7d"]);
      expect(out).toMatch(/^localhost:\d+\/cli-stats\n.+ by day, UTC\n\n3 clicks {3}1 visitor\n\n3 ┤.*█/);
      expect(out).toMatch(/Referrers\n {2}news\.example {2}3 {2}100 % {2}█+\n$/);
      const pty = openPty([program, "stats", "cli-stats", "--interval", "1y"], {
        env: { PATH, HOME: home, ...signedIn, NO_COLOR: "1" },
        columns: 44,
      });
      expect(await pty.exited).toBe(0);
      await pty.sees("news.example");
      expect(
        pty
          .text()
          .split("\r\n")
          .filter((line) => line.length > 44),
      ).toEqual([]);
      pty.close();
      expect(await json(["stats"])).toMatchObject({ link: null, report: { scope: { type: "account" } } });
      expect(await run(["stats", "cli-stats", "--from", "yesterday"])).toMatchObject({
        code: 5,
        err: expect.stringContaining("from: "),
      });
    },
    TIMEOUT_MS,
  );
});

describe("qr", () => {
  test("draws the code in the terminal, in colours that don't depend on it", async () => {
    await kurz.links.create({ destination_url: "https://example.com/", slug: "cli-qr" });
    await atTerminal(["qr", "cli-qr"], signedIn, async (pty) => {
      expect(await pty.exited).toBe(0);
      await pty.sees(shortOf("cli-qr"));
      expect(pty.text()).toMatch(/\p{Cc}\[38;5;16;48;5;231m[ ▀▄█]+\p{Cc}\[0m/u);
    });
    const { out } = await run(["qr", "cli-qr"]);
    expect(out).not.toContain("\x1b");
  });

  test("saves it, and a reader of QR codes reads it", async () => {
    const file = join(home, "code.png");
    expect(await run(["qr", "cli-qr", "--mark", "--out", file])).toMatchObject({ code: 0 });
    expect(readWithJsQr(pixelsOf(readFileSync(file)))).toBe(`${shortOf("cli-qr")}?qr=1`);
    expect((await run(["qr", "cli-qr", "--out", join(home, "code.svg"), "--size", "300"])).code).toBe(0);
    expect(readFileSync(join(home, "code.svg"), "utf8")).toContain('width="300"');
    expect(await run(["qr", "cli-qr", "--out", "code.gif"])).toMatchObject({ code: 2 });
  });
});

describe("failures", () => {
  test("have exit codes of their own, and words with the request id", async () => {
    expect(await run(["links", "show", "cli-nothing"])).toEqual({
      code: 3,
      out: "",
      err: 'kurz: no link has the slug "cli-nothing"\n',
    });
    const readOnly = await server.newToken(await server.newAccount(), { scopes: "links:read" });
    const refused = await run(["shorten", "https://example.com/"], {
      env: { KURZ_URL: server.url, KURZ_TOKEN: readOnly },
    });
    expect([refused.code, refused.err]).toEqual([4, expect.stringMatching(/links:write.*\n {2}request req_\w+\n$/s)]);
    const invalid = await run(["shorten", "nonsense"]);
    expect([invalid.code, invalid.err]).toEqual([5, expect.stringContaining("destination_url: ")]);
    // Node takes it for March 2.
    expect((await run(["shorten", "https://example.com/", "--expires", "2027-02-30"])).code).toBe(2);
    const away = await run(["whoami"], { env: { KURZ_URL: "http://127.0.0.1:1", KURZ_TOKEN: token } });
    expect([away.code, away.err]).toEqual([6, expect.stringContaining("can't be reached")]);
  });

  test("are JSON on standard error with --json", async () => {
    const { code, out, err } = await run(["links", "get", "x", "--json"]);
    expect([code, out, JSON.parse(err)]).toEqual([
      2,
      "",
      { error: { code: "usage", message: expect.stringContaining("unknown command"), request_id: null, exit_code: 2 } },
    ]);
  });

  test("a reader that has seen enough is none", async () => {
    const { exitCode, stderr } = Bun.spawnSync(["bash", "-o", "pipefail", "-c", "kurz links list --all | head -1"], {
      env: { PATH, HOME: home, ...signedIn },
    });
    expect([exitCode, stderr.toString()]).toEqual([0, ""]);
  });
});

describe("completion", () => {
  beforeAll(async () => {
    await kurz.links.create({ destination_url: "https://example.com/", slug: "completable" });
  });
  const zshrc = join(home, "zsh");
  mkdirSync(zshrc);
  writeFileSync(
    join(zshrc, ".zshrc"),
    "PS1='ready> '\nautoload -U compinit && compinit -u -D\nsource <(kurz completion zsh)\n",
  );
  mkdirSync(join(home, "fish", "fish", "completions"), { recursive: true });
  const env = { PATH, HOME: home, ...signedIn };

  /** What the shell makes of a line when Tab is pressed. */
  const shells = {
    bash: () => {
      const rc = join(home, "bashrc");
      writeFileSync(rc, "PS1='ready> '\nbind 'set bell-style none'\nsource <(kurz completion bash)\n");
      return openPty(["bash", "--noprofile", "--rcfile", rc, "-i"], { env });
    },
    zsh: () => openPty(["zsh", "-i"], { env: { ...env, ZDOTDIR: zshrc } }),
    fish: () => {
      const { stdout } = Bun.spawnSync(["kurz", "completion", "fish"], { env });
      writeFileSync(join(home, "fish", "fish", "completions", "kurz.fish"), stdout);
      writeFileSync(
        join(home, "fish", "fish", "config.fish"),
        "function fish_prompt; echo 'ready> '; end\nset fish_greeting\n",
      );
      return openPty(["fish", "-i"], {
        env: { ...env, XDG_CONFIG_HOME: join(home, "fish"), fish_color_autosuggestion: "" },
      });
    },
  } as const;

  test.each(Object.keys(shells) as (keyof typeof shells)[])(
    "works in %s for commands, options, values and slugs",
    async (shell) => {
      const pty = shells[shell]();
      try {
        await pty.sees("ready> ");
        // Every line is completed by one or two words that only completion could have typed, and then run.
        pty.type("kurz sho\t--js\t");
        await pty.sees(/shorten.*--json/s);
        pty.type("\x15");
        pty.type("kurz links sh\tcomplet\t--json\r");
        await pty.sees(/"slug":"completable"/);
        pty.type("kurz links list --tag none --state del\t--limit 1\r");
        await pty.sees("No matching links.");
        pty.type("exit\r");
        expect(await pty.exited).toBe(0);
      } finally {
        pty.close();
      }
    },
    TIMEOUT_MS,
  );
});
