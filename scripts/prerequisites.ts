import { existsSync } from "node:fs";
import { HEADLESS_SHELL } from "../test/support/headless-shell.ts";

/** Programs (or paths, which may be patterns) that the tests need, with the Debian package of each. */
const packages: Readonly<Record<string, string>> = {
  ps: "procps",
  chromium: "chromium",
  [HEADLESS_SHELL]: "chromium-headless-shell",
  curl: "curl",
  sqlite3: "sqlite3",
  mount: "mount",
  "mkfs.ext4": "e2fsprogs",
  nginx: "nginx",
  wrk: "wrk",
  openssl: "openssl",
  "/usr/lib/python3/dist-packages/stripe": "python3-stripe",
  "/usr/lib/python3.*/ensurepip": "python3-venv",
  zbarimg: "zbar-tools",
  "rsvg-convert": "librsvg2-bin",
  xmllint: "libxml2-utils",
  caddy: "caddy",
  bash: "bash",
  zsh: "zsh",
  fish: "fish",
  "systemd-analyze": "systemd",
  ip: "iproute2",
  nsenter: "util-linux",
  mmdebstrap: "mmdebstrap",
  buildah: "buildah",
  "/usr/lib/postgresql/*/bin/postgres": "postgresql",
  pgbouncer: "pgbouncer",
  "redis-server": "redis-server",
};

// Another test run or the system's own updates may be installing at the same time: `install` can wait for them itself,
// `update` can't.
const UPDATE_ATTEMPTS = 60;
const UPDATE_PAUSE_MS = 5_000;
const WAIT_FOR_OTHERS = ["-o", `DPkg::Lock::Timeout=${(UPDATE_ATTEMPTS * UPDATE_PAUSE_MS) / 1_000}`];
// Nothing waits long for what only saves time.
const AT_ONCE = ["-o", "Acquire::Retries=0", "-o", "Acquire::http::Timeout=10"];

/** Installs what is missing if possible (as root on Debian); otherwise prints what to install. */
export async function ensurePrograms(names: readonly string[]): Promise<void> {
  const missing = names.filter((name) => !isInstalled(name)).map((name) => packages[name] ?? name);
  if (missing.length === 0) return;
  if (!canInstall()) {
    process.stderr.write(
      `The tests need these packages: ${missing.join(", ")}\n  apt-get install ${missing.join(" ")}\n`,
    );
    process.exit(1);
  }
  process.stderr.write(`Installing ${missing.join(", ")} …\n`);
  await run(["apt-get", "update", "-q"], UPDATE_ATTEMPTS);
  await run(["apt-get", ...WAIT_FOR_OTHERS, "install", "-y", "-q", "--no-install-recommends", ...missing]);
}

/**
 * Installs a program that only saves time, in the version of a package that is there, so that nothing else is upgraded;
 * the tests run without it, too.
 */
export async function preferProgram(name: string, { versionOf }: { readonly versionOf: string }): Promise<void> {
  if (isInstalled(name) || !canInstall()) return;
  const [, version] = Bun.spawnSync(["dpkg-query", "-W", versionOf]).stdout.toString().trim().split("\t");
  if (version === undefined) return;
  const wanted = `${packages[name] ?? name}=${version}`;
  const install = ["apt-get", ...AT_ONCE, "install", "-y", "-q", "--no-install-recommends", wanted];
  const isDone =
    (await succeeds(install)) ||
    ((await succeeds(["apt-get", ...AT_ONCE, "update", "-q"])) && (await succeeds(install)));
  if (!isDone) process.stderr.write(`${wanted} can't be installed here: the tests in a browser take longer.\n`);
}

const canInstall = (): boolean => process.getuid?.() === 0 && existsSync("/etc/debian_version");

const isInstalled = (name: string): boolean =>
  name.startsWith("/")
    ? !new Bun.Glob(name.slice(1)).scanSync({ cwd: "/", onlyFiles: false }).next().done
    : Bun.which(name) !== null;

async function succeeds(command: readonly string[], stderr: "inherit" | "ignore" = "ignore"): Promise<boolean> {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  return (await Bun.spawn([...command], { env, stdout: "ignore", stderr }).exited) === 0;
}

async function run(command: readonly string[], attempts = 1): Promise<void> {
  for (let attempt = 1; attempt <= attempts; attempt++) {
    if (await succeeds(command, "inherit")) return;
    if (attempt < attempts) await Bun.sleep(UPDATE_PAUSE_MS);
  }
  process.stderr.write(`${command.join(" ")} failed\n`);
  process.exit(1);
}
