import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { blocksOf } from "#test/support/documentation.ts";
import { followDocumentation } from "#test/support/follow-documentation.ts";
import { openSpareMachine, type SpareMachine } from "#test/support/spare-machine.ts";
import { until } from "#test/support/until.ts";
import { ensurePrograms } from "./prerequisites.ts";

// Follows README and docs word for word on a new, minimal Debian. See CONTRIBUTING.md.
const SUITE = "bookworm";
const PACKAGES = ["ca-certificates", "curl", "git", "openssl", "procps", "libstdc++6", "libatomic1"];
const PROJECT = join(import.meta.dir, "..");
const REPOSITORY = "/srv/kurz.git";
// Includes npm ci over a slow connection.
const START_MS_MAX = 900_000;

await ensurePrograms(["mmdebstrap", "nsenter", "git", "ps"]);
const base = mkdtempSync(join(tmpdir(), "kurz-drill-"));
const root = join(base, "debian");
let machine: SpareMachine | undefined;
try {
  say("building a minimal Debian");
  await runOrThrow(["mmdebstrap", "--quiet", "--variant=minbase", `--include=${PACKAGES.join(",")}`, SUITE, root]);
  copyNode();
  copyNetworkSettings();
  await runOrThrow(["git", "clone", "--quiet", "--bare", PROJECT, join(root, REPOSITORY)]);
  // In place of a repository on another machine, where file ownership doesn't matter.
  writeFileSync(join(root, "etc/gitconfig"), "[safe]\n\tdirectory = *\n");
  machine = await openSpareMachine({ ground: { directory: root }, ownNetwork: false });
  const onBlock = ({ page, line, text }: ReturnType<typeof blocksOf>[number]): void =>
    say(`${page}:${line}  ${text.split("\n")[0]}`);
  await followForeground(machine, onBlock);
  await followDocumentation(machine, { repository: REPOSITORY, env: certificateVariables(), onBlock }).follow();
  say("everything in README and docs works");
} finally {
  await machine?.close();
  rmSync(base, { recursive: true, force: true });
}

/** README and docs/demo.md start a server in the foreground, as a user other than root. */
async function followForeground(
  { run }: SpareMachine,
  onBlock: (block: ReturnType<typeof blocksOf>[number]) => void,
): Promise<void> {
  await expectSuccess(run("useradd --create-home ada"));
  const readme = blocksOf("README.md").filter(({ language }) => language === "sh");
  const [start, account, links, count] = readme;
  if (!start || !account || !links || !count) throw new Error("the README has fewer code blocks than expected");
  onBlock(start);
  const ada = { user: "ada", directory: "/home/ada", env: certificateVariables() };
  const serving = run(start.text.replace("<this repository>", REPOSITORY), ada);
  await untilReady(run, serving);
  const inCheckout = { ...ada, directory: "/home/ada/kurz" };
  for (const block of [account, links, count]) onBlock(block);
  await expectSuccess(run(`${account.text}\n${links.text}\nsleep 3\n${count.text}`, inCheckout), /"click_count":1\b/);
  await stop(run, serving);

  const [demo, command] = blocksOf("docs/demo.md").filter(({ language }) => language === "sh");
  if (!demo || !command) throw new Error("docs/demo.md has fewer code blocks than expected");
  onBlock(demo);
  const showing = run(demo.text, inCheckout);
  await untilReady(run, showing);
  onBlock(command);
  await expectSuccess(run(command.text, inCheckout));
  await stop(run, showing);
}

async function untilReady(run: SpareMachine["run"], serving: ReturnType<SpareMachine["run"]>): Promise<void> {
  const ended = serving.then(({ code, err }) => {
    throw new Error(`the server exited with ${code}: ${err}`);
  });
  const answers = until(
    "the server is ready",
    async () => (await run("curl -sf http://localhost:8080/readyz")).code === 0,
    START_MS_MAX,
  );
  await Promise.race([answers, ended]);
}

/** Like Ctrl-C. */
async function stop(run: SpareMachine["run"], serving: ReturnType<SpareMachine["run"]>): Promise<void> {
  await expectSuccess(run("pkill -INT -f '[s]rc/main.ts (serve|demo)'"));
  await serving;
}

async function expectSuccess(outcome: ReturnType<SpareMachine["run"]>, shows = /(?:)/): Promise<void> {
  const { code, out, err } = await outcome;
  if (code !== 0 || !shows.test(out)) throw new Error(`failed with ${code}: ${out}${err}`);
}

/** Debian 12's Node.js is too old for Kurz, so this machine's is copied. */
function copyNode(): void {
  const node = Bun.which("node");
  const npm = Bun.which("npm");
  if (!node || !npm) throw new Error("the drill copies Node.js and npm from this machine, but they are not installed");
  cpSync(realpathSync(node), join(root, "usr/bin/node"));
  const modules = "usr/lib/node_modules";
  mkdirSync(join(root, modules), { recursive: true });
  cpSync(join(dirname(realpathSync(npm)), ".."), join(root, modules, "npm"), { recursive: true });
  for (const name of ["npm", "npx"]) {
    symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, join(root, "usr/bin", name));
  }
}

/** Name resolution and trusted certificates, so that packages are fetched from the same place as on this machine. */
function copyNetworkSettings(): void {
  for (const path of ["/etc/resolv.conf", "/etc/hosts"]) cpSync(path, join(root, path), { dereference: true });
  const extra = process.env.NODE_EXTRA_CA_CERTS;
  if (extra && existsSync(extra)) cpSync(extra, join(root, "etc/ssl/drill.pem"), { dereference: true });
}

function certificateVariables(): Record<string, string> {
  return process.env.NODE_EXTRA_CA_CERTS ? { NODE_EXTRA_CA_CERTS: "/etc/ssl/drill.pem" } : {};
}

async function runOrThrow(command: readonly string[]): Promise<void> {
  const child = Bun.spawn([...command], { stdout: "inherit", stderr: "inherit", stdin: "ignore" });
  if ((await child.exited) !== 0) throw new Error(`${command.join(" ")} failed`);
}

function say(text: string): void {
  process.stderr.write(`── ${text}\n`);
}
