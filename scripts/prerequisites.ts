import { existsSync } from "node:fs";

/** Programs (or paths, which may be patterns) that the tests need, with the Debian package of each. */
const packages: Readonly<Record<string, string>> = {
  ps: "procps",
  chromium: "chromium",
  curl: "curl",
  sqlite3: "sqlite3",
  mount: "mount",
  "mkfs.ext4": "e2fsprogs",
  nginx: "nginx",
  wrk: "wrk",
  openssl: "openssl",
  "/usr/lib/python3/dist-packages/stripe": "python3-stripe",
  zbarimg: "zbar-tools",
  "rsvg-convert": "librsvg2-bin",
  xmllint: "libxml2-utils",
  caddy: "caddy",
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

/** Installs what is missing if possible (as root on Debian); otherwise prints what to install. */
export async function ensurePrograms(names: readonly string[]): Promise<void> {
  const missing = names.filter((name) => !isInstalled(name)).map((name) => packages[name] ?? name);
  if (missing.length === 0) return;
  const canInstall = process.getuid?.() === 0 && existsSync("/etc/debian_version");
  if (!canInstall) {
    process.stderr.write(
      `The tests need these packages: ${missing.join(", ")}\n  apt-get install ${missing.join(" ")}\n`,
    );
    process.exit(1);
  }
  process.stderr.write(`Installing ${missing.join(", ")} …\n`);
  await run(["apt-get", "update", "-q"], UPDATE_ATTEMPTS);
  await run(["apt-get", ...WAIT_FOR_OTHERS, "install", "-y", "-q", "--no-install-recommends", ...missing]);
}

const isInstalled = (name: string): boolean =>
  name.startsWith("/")
    ? !new Bun.Glob(name.slice(1)).scanSync({ cwd: "/", onlyFiles: false }).next().done
    : Bun.which(name) !== null;

async function run(command: readonly string[], attempts = 1): Promise<void> {
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const child = Bun.spawn([...command], {
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
      stdout: "ignore",
      stderr: "inherit",
    });
    if ((await child.exited) === 0) return;
    if (attempt < attempts) await Bun.sleep(UPDATE_PAUSE_MS);
  }
  process.stderr.write(`${command.join(" ")} failed\n`);
  process.exit(1);
}
