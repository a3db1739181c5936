import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  closeSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DataPaths, dataPaths } from "#config/data-paths.ts";
import type { Link } from "#contract/link-record.ts";
import { clickOnce, settledCounts } from "#test/support/click-counts.ts";
import { freePort } from "#test/support/free-port.ts";
import { type KurzServer, runKurz, startKurz } from "#test/support/kurz-server.ts";
import { LinkApi } from "#test/support/link-api.ts";
import { until } from "#test/support/until.ts";

const env = { KURZ_REDIRECT_PROCESSES: "1", KURZ_RATE_LIMIT_PER_MINUTE: "0" };
const root = mkdtempSync(join(tmpdir(), "kurz-records-"));
const used = join(root, "used");
const DOCS = '"A missing or damaged records file" in docs/operations.md';
let token = "";
let link: Link;

async function withServer<T>(dataDir: string, work: (kurz: KurzServer) => Promise<T>): Promise<T> {
  const kurz = await startKurz({ dataDir, env });
  try {
    return await work(kurz);
  } finally {
    await kurz.stop();
  }
}

beforeAll(async () => {
  await withServer(used, async (kurz) => {
    token = await kurz.newToken(await kurz.newAccount());
    const api = new LinkApi(kurz.url, token);
    link = await api.create();
    for (let no = 0; no < 5; no += 1) expect(await clickOnce(`${kurz.url}/${link.slug}`)).toBe(302);
    await settledCounts(api, link.id, 5);
  });
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const removeRecords = ({ records }: DataPaths): void => {
  for (const name of [records, `${records}-wal`, `${records}-shm`]) rmSync(name, { force: true });
};

function overwrite(path: string, at: number, bytes: Buffer): void {
  const file = openSync(path, "r+");
  writeSync(file, bytes, 0, bytes.length, at);
  closeSync(file);
}

/** What happened to the file, and what the one line has to say about it. */
const accidents: readonly [what: string, accident: (paths: DataPaths) => void, said: RegExp][] = [
  ["missing", removeRecords, /records\.db is missing, but \S+ still has clicks\.duckdb, salts\.json, secret\.key/],
  ["emptied", ({ records }) => truncateSync(records, 0), /records\.db is empty, but \S+ still has .*clicks\.duckdb/],
  [
    "missing beside the key and the journal alone",
    (paths) => {
      removeRecords(paths);
      for (const name of [paths.clicks, paths.salts]) rmSync(name);
      writeFileSync(join(paths.journal, "local-000-0000000001-00000000.log"), "");
    },
    /records\.db is missing, but \S+ still has secret\.key, journal from an existing installation/,
  ],
  ["overwritten", ({ records }) => overwrite(records, 0, Buffer.alloc(200, 7)), /records\.db is damaged: .*NOTADB/],
  [
    "cut off",
    ({ records }) => truncateSync(records, statSync(records).size / 2),
    /records\.db is damaged: .*malformed \(SQLITE_CORRUPT/,
  ],
];

describe("records that are", () => {
  test.each(accidents)(
    "%s prevent the start, with one line that names the file and the remedy",
    async (_, accident, said) => {
      const dataDir = join(root, `data-${crypto.randomUUID()}`);
      cpSync(used, dataDir, { recursive: true, filter: (path) => !path.endsWith("/run") });
      const paths = dataPaths(dataDir);
      accident(paths);
      const files = () => readdirSync(dataDir).filter((name) => !/^(?:run|lock\.db.*|records\.db-.*)$/.test(name));
      const before = files();
      const size = statSync(paths.records, { throwIfNoEntry: false })?.size;
      const where = { KURZ_DATA_DIR: dataDir, KURZ_PORT: String(freePort()) };
      for (const command of [["serve"], ["migrate"], ["accounts", "create", "--email", "a@b.example", "--name", "A"]]) {
        const { code, stdout, stderr } = await runKurz(command, where, "a password for tests\n");
        const lines = stderr
          .trimEnd()
          .split("\n")
          .filter((line) => !line.startsWith("Password"));
        expect([command[0], code, stdout, lines.length, lines[0]]).toEqual([
          command[0],
          1,
          "",
          1,
          expect.stringMatching(said),
        ]);
        expect(lines[0]).toContain(DOCS);
      }
      expect(files()).toEqual(before);
      expect(statSync(paths.records, { throwIfNoEntry: false })?.size).toBe(size as number);
    },
    60_000,
  );
});

test("clicks of another installation are neither shown nor added to, and links redirect", async () => {
  const dataDir = join(root, "other");
  const paths = dataPaths(dataDir);
  const other = await withServer(dataDir, async (kurz) => {
    const its = await kurz.newToken(await kurz.newAccount());
    return { token: its, link: await new LinkApi(kurz.url, its).create() };
  });
  for (const path of [paths.clicks, `${paths.clicks}.wal`]) rmSync(path, { force: true });
  copyFileSync(dataPaths(used).clicks, paths.clicks);
  await withServer(dataDir, async (kurz) => {
    expect(await clickOnce(`${kurz.url}/${other.link.slug}`)).toBe(302);
    await until("it is logged", () => kurz.output.stderr.includes("holds the clicks of another installation"));
    expect(kurz.output.stderr).not.toMatch(/another installation[^\n]*\\n +at /);
    const api = new LinkApi(kurz.url, other.token);
    expect((await api.ask("GET", `/links/${other.link.id}/analytics?interval=all`)).status).toBe(503);
    expect((await api.get(other.link.id)).click_count).toBe(0);
    const { code, stdout } = await kurz.kurz(["doctor"]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^problem +clicks +\S+clicks\.duckdb holds the clicks of another installation/m);
  });
  for (const path of [paths.clicks, `${paths.clicks}.wal`]) rmSync(path, { force: true });
  await withServer(dataDir, async (kurz) => {
    expect(await settledCounts(new LinkApi(kurz.url, other.token), other.link.id, 1)).toEqual({
      counter: 1,
      report: 1,
    });
  });
}, 600_000);

test("a missing clicks file is logged at the start, and links keep their counts", async () => {
  const paths = dataPaths(used);
  for (const path of [paths.clicks, `${paths.clicks}.wal`]) rmSync(path, { force: true });
  await withServer(used, async (kurz) => {
    await until("it is logged", () => kurz.output.stderr.includes("the clicks file is missing; reports start empty"));
    expect((await new LinkApi(kurz.url, token).get(link.id)).click_count).toBe(5);
    expect(existsSync(paths.records)).toBe(true);
  });
});
