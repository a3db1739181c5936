import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { listedCommands } from "#commands/command-list.ts";
import { migrateSqlite } from "#engines/records/sqlite/migrate.ts";
import { freePort } from "#test/support/free-port.ts";
import { withSmallDisk } from "#test/support/small-disk.ts";
import { scripts, version } from "../../package.json";

const EXECUTABLE = join(import.meta.dir, "..", "..", "bin", "kurz");
/** A user that every system has, and that may write nowhere. */
const NOBODY = { name: "nobody", uid: 65534 };

let temporary = "";
beforeAll(() => {
  temporary = mkdtempSync(join(tmpdir(), "kurz-directory-"));
  chmodSync(temporary, 0o755);
});
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

interface Options {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly executable?: string;
  readonly user?: typeof NOBODY;
}

/** Runs the command as an operator does, and returns what they see. */
async function kurz(args: readonly string[], { env = {}, cwd = temporary, executable = EXECUTABLE, user }: Options) {
  const asUser = user ? ["setpriv", `--reuid=${user.uid}`, `--regid=${user.uid}`, "--clear-groups"] : [];
  const child = Bun.spawn([...asUser, executable, ...args], {
    cwd,
    env: { PATH: process.env.PATH ?? "", KURZ_PORT: String(freePort()), KURZ_METRICS_ADDR: "off", ...env },
    stdin: new TextEncoder().encode("correct horse battery\n"),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { code, out, err };
}

/** One line that says what is wrong and what to do. */
function expectRefusal(outcome: { code: number; out: string; err: string }, ...parts: readonly string[]): void {
  const { code, out, err } = outcome;
  expect({ code, out, lines: err.split("\n").length }).toEqual({ code: 1, out: "", lines: 2 });
  for (const part of parts) expect(err).toContain(part);
}

function newDirectory(name: string): string {
  const path = join(temporary, name);
  mkdirSync(path, { mode: 0o755 });
  return path;
}

/** Data as a server leaves it. */
function leaveData(name: string, owner?: typeof NOBODY): string {
  const dataDir = newDirectory(name);
  migrateSqlite(join(dataDir, "records.db"));
  for (const file of ["records.db", "lock.db"]) {
    const path = join(dataDir, file);
    if (!existsSync(path)) writeFileSync(path, "");
    if (owner) chownSync(path, owner.uid, owner.uid);
  }
  if (owner) chownSync(dataDir, owner.uid, owner.uid);
  return dataDir;
}

/** Arguments that each command requires. */
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  "accounts create": ["--email", "ada@example.com", "--name", "Acme"],
  backup: ["backup-of-nothing"],
  "clicks generate": ["--links", "1", "--clicks", "1"],
};

describe("in a directory without data", () => {
  const names = ["accounts create", "accounts list", "tokens list", "migrate", "doctor", "backup", "clicks generate"];

  test.each(names)("%s creates none, and says where it looked", async (name) => {
    expect(listedCommands.map((command) => command.name)).toContain(name);
    const cwd = newDirectory(`wrong-${name.replace(" ", "-")}`);
    const outcome = await kurz([...name.split(" "), ...(ARGUMENTS[name] ?? [])], { cwd });
    expectRefusal(outcome, join(cwd, "data"), "KURZ_DATA_DIR", "start the server");
    expect(existsSync(join(cwd, "data"))).toBe(false);
    expect(existsSync(join(cwd, "backup-of-nothing"))).toBe(false);
  });
});

describe("another user's data", () => {
  test("is left alone by root, who would create files that the service can't open", async () => {
    const dataDir = leaveData("of-nobody", NOBODY);
    for (const word of ["serve", "migrate"]) {
      expectRefusal(await kurz([word], { env: { KURZ_DATA_DIR: dataDir } }), dataDir, "user nobody", "sudo -u nobody");
    }
    expect(existsSync(join(dataDir, "run"))).toBe(false);
  });

  test("is reported with its owner to users who can't read it, not as missing", async () => {
    const dataDir = leaveData("of-root");
    chmodSync(dataDir, 0o700);
    for (const words of [["serve"], ["accounts", "list"], ["backup", join(temporary, "never")]]) {
      const outcome = await kurz(words, { env: { KURZ_DATA_DIR: dataDir }, user: NOBODY });
      expectRefusal(outcome, dataDir, "user root", "sudo -u root");
    }
  });
});

test("a directory that the user may not create is refused with the command that creates it", async () => {
  const dataDir = join(temporary, "nobody-s", "data");
  expectRefusal(
    await kurz(["serve"], { env: { KURZ_DATA_DIR: dataDir }, user: NOBODY }),
    `install -d -o nobody -m 700 ${dataDir}`,
    temporary,
  );
});

test("a file in place of the directory is refused by the server and by commands", async () => {
  const dataDir = join(temporary, "a-file");
  writeFileSync(dataDir, "not a directory");
  for (const words of [["serve"], ["accounts", "list"]]) {
    const outcome = await kurz(words, { env: { KURZ_DATA_DIR: dataDir } });
    expectRefusal(outcome, `${dataDir} is not a directory`, "KURZ_DATA_DIR");
  }
});

test("a damaged lock file is refused by the server and by commands, and not taken for the records", async () => {
  const dataDir = leaveData("damaged-lock");
  writeFileSync(join(dataDir, "lock.db"), "garbage ".repeat(1000));
  for (const words of [["serve"], ["accounts", "list"], ["doctor"]]) {
    const outcome = await kurz(words, { env: { KURZ_DATA_DIR: dataDir } });
    expectRefusal(outcome, `${join(dataDir, "lock.db")} is damaged; delete it and try again`);
  }
});

test("on a full disk the start fails with one line, whichever write comes first", async () => {
  await withSmallDisk(4, async (disk) => {
    disk.fill();
    const atOnce = { KURZ_DATA_DIR: join(disk.path, "new") };
    expectRefusal(await kurz(["serve"], { env: atOnce }), disk.path, "is full", "free up space");
    disk.free();
    const dataDir = join(disk.path, "data");
    migrateSqlite(join(dataDir, "records.db"));
    disk.fill();
    expectRefusal(await kurz(["serve"], { env: { KURZ_DATA_DIR: dataDir } }), dataDir, "is full", "free up space");
  });
});

describe("the kurz executable", () => {
  test("runs through symbolic links from anywhere, with its own code and settings", async () => {
    const cwd = newDirectory("elsewhere");
    symlinkSync(EXECUTABLE, join(cwd, "kurz"));
    symlinkSync("kurz", join(cwd, "kz"));
    // None of it belongs to Kurz, but to some other project in this directory.
    writeFileSync(join(cwd, "bunfig.toml"), 'preload = ["./foreign.ts"]\n');
    writeFileSync(join(cwd, "foreign.ts"), 'process.stdout.write("foreign code\\n");\n');
    writeFileSync(join(cwd, ".env"), "KURZ_PORT=none\n");
    for (const executable of ["./kurz", "./kz"]) {
      expect(await kurz(["--version"], { cwd, executable })).toEqual({ code: 0, out: `kurz ${version}\n`, err: "" });
    }
    const { err } = await kurz(["accounts", "list"], { cwd, executable: "./kurz" });
    expect(err).toContain(join(cwd, "data"));
    expect(err).not.toContain("KURZ_PORT");
  });

  test("reads settings from .env beside the program, as npm start does, but what is set already wins", async () => {
    const checkout = newDirectory("settings");
    const root = dirname(dirname(EXECUTABLE));
    mkdirSync(join(checkout, "bin"));
    await Bun.write(join(checkout, "bin", "kurz"), Bun.file(EXECUTABLE));
    chmodSync(join(checkout, "bin", "kurz"), 0o755);
    for (const name of ["node_modules", "src"]) symlinkSync(join(root, name), join(checkout, name));
    writeFileSync(join(checkout, ".env"), `KURZ_DATA_DIR=${join(checkout, "from-file")}\n`);
    const list = (env = {}) =>
      kurz(["accounts", "list"], {
        cwd: newDirectory(crypto.randomUUID()),
        env,
        executable: join(checkout, "bin", "kurz"),
      });
    expectRefusal(await list(), join(checkout, "from-file"));
    expectRefusal(await list({ KURZ_DATA_DIR: join(checkout, "from-shell") }), join(checkout, "from-shell"));
    for (const script of [scripts.start, scripts.kurz]) expect(script).toStartWith("exec bin/kurz");
  });

  test("says what is missing in a checkout without its packages", async () => {
    const checkout = newDirectory("checkout");
    mkdirSync(join(checkout, "bin"));
    await Bun.write(join(checkout, "bin", "kurz"), Bun.file(EXECUTABLE));
    chmodSync(join(checkout, "bin", "kurz"), 0o755);
    expectRefusal(
      await kurz(["--version"], { executable: join(checkout, "bin", "kurz") }),
      `run npm ci in ${checkout}`,
    );
  });
});
