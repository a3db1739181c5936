import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { demoAccess } from "#demo/demo-access.ts";
import type { ConsoleManifest } from "#shared/console-manifest.ts";
import { type BareMachine, type BareProcess, openBareMachine } from "#test/support/bare-machine.ts";
import { clickOnce, countsOf, settledCounts } from "#test/support/click-counts.ts";
import { eventually } from "#test/support/eventually.ts";
import { freePort } from "#test/support/free-port.ts";
import { LinkApi } from "#test/support/link-api.ts";
import { openTools, textOf } from "#test/support/mcp-client.ts";
import { oneFileProgram } from "#test/support/one-file-program.ts";
import { childrenOf, isAlive } from "#test/support/process-table.ts";
import { readWithZbar } from "#test/support/qr-decoders.ts";
import { until } from "#test/support/until.ts";
import { version } from "../../package.json";

setDefaultTimeout(600_000);

const ROOT = join(import.meta.dir, "..", "..");
const PASSWORD = "a password for tests\n";
const BINDINGS = join(ROOT, "node_modules", "@duckdb", `node-bindings-linux-${process.arch}`, "duckdb.node");
// Other servers run at the same time.
const newPlace = () => {
  const port = freePort();
  return { url: `http://localhost:${port}`, env: { KURZ_PORT: String(port), KURZ_METRICS_ADDR: "off" } };
};

let machine: BareMachine;
beforeAll(() => {
  machine = openBareMachine(oneFileProgram(), [BINDINGS]);
});
afterAll(() => machine.close());

const get = (url: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
  fetch(url, { headers, redirect: "manual" });

test("it says what it is, and writes nothing for that", async () => {
  expect(await machine.run(["--version"])).toEqual({ code: 0, out: `kurz ${version}\n`, err: "" });
  const { out } = await machine.run(["--help"]);
  expect(out).toContain("Settings are environment variables.");
  expect(out).toContain("  demo ");
  expect((await machine.run(["--licences"])).out).toContain("Licences of third parties in Kurz");
  expect(readdirSync(machine.home)).toEqual(["kurz"]);
});

describe("a server in an empty directory, on a machine with nothing else", () => {
  const { url, env } = newPlace();
  let server: BareProcess;
  let token: string;
  let api: LinkApi;
  let startedMs = 0;
  const note = (what: string): void => {
    process.stderr.write(`${what} ${((performance.now() - startedMs) / 1000).toFixed(1)} s after the first start\n`);
  };
  const startServer = async (): Promise<void> => {
    startedMs ||= performance.now();
    server = machine.start(["serve"], { env });
    await server.untilPrinted("Kurz is running.");
  };

  beforeAll(startServer);
  afterAll(() => server.stop());

  test("its first hint creates an account and a token", async () => {
    expect(server.output.stderr).toContain(`./kurz accounts create --email you@example.com --name "My team"`);
    const common = await machine.run(["accounts", "create", "--email", "a@example.com", "--name", "A"], {
      env,
      input: "password1234\n",
    });
    expect([common.code, common.err]).toEqual([1, expect.stringContaining("common")]);
    const created = await machine.run(["accounts", "create", "--email", "a@example.com", "--name", "A"], {
      env,
      input: PASSWORD,
    });
    expect(created).toMatchObject({ code: 0 });
    const issued = await machine.run(
      ["tokens", "create", "--account", created.out.trim(), "--name", "CLI", "--scopes", "all"],
      { env },
    );
    expect(issued).toMatchObject({ code: 0 });
    token = issued.out.trim();
    api = new LinkApi(url, token);
  });

  test("a link redirects, and its report counts the click", async () => {
    const link = await api.create({
      slug: "first",
      destination_url: "https://example.com/first",
      title: "A spring sale",
    });
    expect((await get(link.short_url)).headers.get("location")).toBe("https://example.com/first");
    note("the first redirect");
    expect(await clickOnce(link.short_url)).toBe(302);
    await until("its report counts it", async () => (await countsOf(api, link.id)).report === 1);
    note("its report");
    expect(await settledCounts(api, link.id, 1)).toEqual({ counter: 1, report: 1 });
  });

  test("what worker threads do works: QR codes, searches, passwords", async () => {
    const [link] = await api.list();
    const qr = await api.ask("GET", `/links/${link?.id}/qr`);
    expect(await readWithZbar(new Uint8Array(await qr.arrayBuffer()))).toBe(link?.short_url ?? "");
    const found = (await (await api.ask("GET", "/links?q=spring")).json()) as { data: unknown[] };
    expect(found.data).toHaveLength(1);
    const guarded = await api.create({ slug: "guarded", password: "tulip" });
    const enter = (password: string) =>
      fetch(guarded.short_url, { method: "POST", body: new URLSearchParams({ password }), redirect: "manual" });
    expect([(await enter("rose")).status, (await enter("tulip")).status]).toEqual([403, 303]);
  });

  test("the console comes with every file of its build", async () => {
    const page = await get(`${url}/console`);
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    const built = join(ROOT, "dist", "console");
    const manifest: ConsoleManifest = await Bun.file(join(built, "manifest.json")).json();
    expect(manifest.files.length).toBeGreaterThan(100);
    for (const file of manifest.files) {
      const answer = await get(`${url}/console/assets/${file}`, { "accept-encoding": "identity" });
      expect([file, answer.status]).toEqual([file, 200]);
      expect(Bun.hash(await answer.bytes())).toBe(Bun.hash(await Bun.file(join(built, file)).bytes()));
    }
    const script = manifest.pages.en.script;
    const compressed = await get(`${url}/console/assets/${script}`, { "accept-encoding": "br" });
    expect(compressed.headers.get("content-encoding")).toBe("br");
  });

  test("assistants get its tools", async () => {
    const tools = await openTools(url, token);
    expect((await tools.list()).length).toBeGreaterThan(20);
    expect(textOf(await tools.call("links_list"))).toContain("https://example.com/first");
    await tools.client.close();
  });

  test("the API reference comes with its files and the clients", async () => {
    const page = await (await get(`${url}/docs`)).text();
    const files = [...page.matchAll(/(?:src|href)="(\/docs\/[^"]+)"/g)].map(([, path]) => path);
    expect(files.length).toBeGreaterThan(4);
    for (const path of [...files, "/api/v1/openapi.json", "/api/v1/openapi.yaml", "/docs/clients/kurz-sdk.tgz"]) {
      expect([path, (await get(`${url}${path}`)).status]).toEqual([path, 200]);
    }
  });

  test("a file that replaces it changes nothing until the next start, even if a process dies", async () => {
    writeFileSync(join(machine.home, "next"), "the next release", { mode: 0o755 });
    renameSync(join(machine.home, "kurz"), join(machine.home, "kept"));
    renameSync(join(machine.home, "next"), join(machine.home, "kurz"));
    for (const role of ["redirect", "control"]) {
      const before = childrenOf(server.pid, role);
      expect(before.length).toBeGreaterThan(0);
      for (const pid of before) process.kill(pid, "SIGKILL");
      await until("others took their place", () => {
        const now = childrenOf(server.pid, role);
        return now.length === before.length && !now.some((pid) => before.includes(pid));
      });
    }
    await eventually(async () => expect(await clickOnce(`${url}/first`)).toBe(302));
    await eventually(async () => expect((await api.ask("GET", "/links")).status).toBe(200));
    renameSync(join(machine.home, "kept"), join(machine.home, "kurz"));
  });

  test("a file that replaces it takes over without a restart, and runs from then on", async () => {
    const [pid, old] = [server.pid, ["redirect", "control"].flatMap((role) => childrenOf(server.pid, role))];
    const upgraded = join(machine.home, "next");
    copyFileSync(join(machine.home, "kurz"), upgraded);
    renameSync(upgraded, join(machine.home, "kurz"));
    const replaced = statSync(`/proc/${pid}/exe`).ino;
    const { code, out, err } = await machine.run(["reload", "--json"], { env });
    expect([code, err]).toEqual([0, expect.any(String)]);
    expect(JSON.parse(out)).toMatchObject({ version, pid });
    const now = statSync(join(machine.home, "kurz")).ino;
    expect(now).not.toBe(replaced);
    const programs = [pid, ...["redirect", "control"].flatMap((role) => childrenOf(pid, role))];
    expect(programs.map((each) => statSync(`/proc/${each}/exe`).ino)).toEqual(programs.map(() => now));
    expect(old.filter(isAlive)).toEqual([]);
    expect(await clickOnce(`${url}/first`)).toBe(302);
    expect((await api.ask("GET", "/links")).status).toBe(200);
  });

  test("a backup brings everything back elsewhere", async () => {
    const id = (await api.list()).find(({ slug }) => slug === "first")?.id ?? "";
    const { report } = await settledCounts(api, id, 3);
    expect(await machine.run(["backup", "/tmp/saved"], { env })).toMatchObject({ code: 0 });
    expect(await server.stop()).toMatchObject({ code: 0 });
    renameSync(join(machine.home, "data"), join(machine.home, "old"));
    expect(await machine.run(["restore", "/tmp/saved"], { env })).toMatchObject({ code: 0 });
    await startServer();
    expect(await clickOnce(`${url}/first`)).toBe(302);
    expect(await settledCounts(api, id, report + 1)).toEqual({ counter: report + 1, report: report + 1 });
    expect(await machine.run(["doctor"], { env })).toMatchObject({ code: 0 });
  });

  test("the only library on disk is the one in the data directory, for this user alone", () => {
    const library = join(machine.home, "data", ".library");
    expect(readdirSync(library)).toHaveLength(1);
    expect(existsSync(join(library, readdirSync(library)[0] ?? "", "libduckdb.so"))).toBe(true);
    expect(readdirSync(join(machine.home, "..", "tmp"))).toEqual(["saved"]);
  });
});

test("the demo runs", async () => {
  const { url, env } = newPlace();
  const demo = machine.start(["demo"], { env });
  try {
    await demo.untilPrinted("Kurz is running.");
    const links = await new LinkApi(url, demoAccess.token.value).list();
    expect(links.length).toBeGreaterThan(10);
    expect(demo.output.stderr).toContain("/home/data-demo");
    const libraries = readdirSync(join(machine.home, "data-demo"), { recursive: true, encoding: "utf8" }).filter(
      (name) => name.endsWith(".so"),
    );
    expect(libraries).toHaveLength(1);
  } finally {
    expect(await demo.stop()).toMatchObject({ code: 0 });
  }
});

test("where programs can't be run, it says what to do", async () => {
  const { env } = newPlace();
  const place = join(machine.home, "noexec");
  mkdirSync(place);
  const { code, err } = await machine.run(["serve"], {
    env: { ...env, KURZ_DATA_DIR: "/home/noexec/data" },
    mounts: [`mount -t tmpfs -o noexec tmpfs '${place}'`],
  });
  expect(code).toBe(1);
  expect(err).toContain(
    `can't be loaded from /home/noexec/data/.library, since its file system is mounted with "noexec"; mount it without`,
  );
});

test("what lies in the current directory is not taken for its own", async () => {
  writeFileSync(join(machine.home, ".env"), "KURZ_PORT=never\n");
  writeFileSync(join(machine.home, "bunfig.toml"), 'preload = ["./other.ts"]\n');
  expect((await machine.run(["plans", "list"], { env: { KURZ_DATA_DIR: "/home/none" } })).err).toBe(
    "kurz: there is no Kurz data in /home/none; set KURZ_DATA_DIR to the server's data directory, or start the server first\n",
  );
});
