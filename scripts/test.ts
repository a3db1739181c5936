import { clickHouseMissing, installClickHouse, noteClickHouse } from "../test/support/clickhouse-library.ts";
import { HEADLESS_SHELL } from "../test/support/headless-shell.ts";
import { newPostgresTemplate, POSTGRES_TEMPLATE } from "../test/support/postgres-server.ts";
import { installRuntimes } from "../test/support/runtimes.ts";
import { ensurePrograms, preferProgram } from "./prerequisites.ts";
import { checkSteps, runSteps, testFiles } from "./steps.ts";

// All tests: the fast checks, then real servers, real processes and a real browser.
const PYTHON_STRIPE = "/usr/lib/python3/dist-packages/stripe";
const PYTHON_VENV = "/usr/lib/python3.*/ensurepip";
const SYSTEM = ["ps", "curl", "sqlite3", "mount", "mkfs.ext4", "openssl", "chromium"];
// For the commands and files in the docs.
const DEPLOYMENT = ["nginx", "caddy", "systemd-analyze", "ip", "nsenter"];
// The users' command line completes what they type.
const SHELLS = ["bash", "zsh", "fish"];
const QR_READERS = ["zbarimg", "rsvg-convert", "xmllint"];
const POSTGRES = "/usr/lib/postgresql/*/bin/postgres";
const ENGINES = [POSTGRES, "pgbouncer", "redis-server"];
// What may differ between engines in a data directory and on servers; the suites in test/conformance run on both.
const ON_SERVERS = [
  "battery.hostile-values",
  "domains.notices",
  "domains.test",
  "links.actions",
  "links.count",
  "links.create",
  "links.delete",
  "links.edges",
  "links.filter",
  "links.get",
  "links.list",
  "links.tags",
  "links.trash",
  "links.update",
  "links.upsert",
  "mcp",
  "rate-limit",
  "redirect.blocking",
  "redirect.expired",
  "redirect.guards",
  "redirect.misses",
  "redirect.settings",
  "redirect.test",
  "tags",
  "webhooks",
  "console.account",
  "console.live",
  "console.members",
  "console.person",
  "console.sign-in",
  "console.sso",
  "console.webhooks",
].map((name) => `test/contract/${name}.`);
const SUITES = ["binary", "conformance", "contract", "support", "release", "e2e", "faults"].map(
  (name) => `test/${name}`,
);
await ensurePrograms([...SYSTEM, ...DEPLOYMENT, ...SHELLS, ...QR_READERS, ...ENGINES, PYTHON_STRIPE, PYTHON_VENV]);
await preferProgram(HEADLESS_SHELL, { versionOf: "chromium-common" });
// Before the tests, which run in parallel.
if (clickHouseMissing === null) await installClickHouse();
else noteClickHouse();
await installRuntimes();
const steps = [
  ...checkSteps,
  // Servers in the tests below serve the build as it is, which may be older than the source.
  { name: "console build", command: ["bun", "scripts/build-console.ts"] },
  { name: "clients build", command: ["bun", "scripts/build-clients.ts"] },
  { name: "documentation build", command: ["bun", "scripts/build-docs.ts"] },
  { name: "build of the library for tools", command: ["bun", "scripts/build-mcp.ts"] },
  { name: "one-file program", command: ["bun", "scripts/build-binary.ts"] },
  { name: "contract on servers", command: testFiles(...ON_SERVERS), env: { KURZ_TEST_PROFILE: "distributed" } },
  // In one step, since some of them mostly compute and others mostly wait. Options such as `--update-timings` are passed on.
  {
    name: "conformance, contract, end to end, faults, one-file program",
    command: testFiles(...SUITES, ...process.argv.slice(2)),
  },
];
process.env[POSTGRES_TEMPLATE] = await newPostgresTemplate();
process.exit(await runSteps(steps, clickHouseMissing === null ? [] : [clickHouseMissing]));
