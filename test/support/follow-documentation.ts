import { type Block, blocksOf, documentedPages, isCommands } from "./documentation.ts";
import { solidPng } from "./pictures.ts";
import type { Outcome, SpareMachine } from "./spare-machine.ts";
import { until } from "./until.ts";

/** Blocks that can't run as written, and why. Everything else must. */
const NOT_RUN: readonly { readonly page: string; readonly holds: string; readonly why: string }[] = [
  { page: "README.md", holds: "npm run check", why: "these are the tests and benches themselves" },
  { page: "docs/benchmarks.md", holds: "npm run bench", why: "the benches take ten minutes and measure" },
  { page: "docs/operations.md", holds: "kurz move", why: "it needs a PostgreSQL server; move.test.ts follows it" },
  { page: "docs/webhooks.md", holds: "kurz webhooks test", why: "it needs a receiver on the internet" },
  { page: "docs/webhooks.md", holds: "kurz webhooks redeliver", why: "it needs a delivery to that receiver" },
];

/** The only part of the pages that the reader has to fill in. */
const INSTALLS = "git clone <this repository>";

export const isRun = (block: Block): boolean =>
  isCommands(block) && !NOT_RUN.some(({ page, holds }) => block.page === page && block.text.includes(holds));

/** Entries of the list above that no longer match a block. */
export const idleExceptions = (): string[] =>
  NOT_RUN.filter(
    ({ page, holds }) => !blocksOf(page).some((block) => isCommands(block) && block.text.includes(holds)),
  ).map(({ page, holds }) => `${page}: ${holds}`);

/** Pages with a fixed position in the order, and two that start their own server. */
const APART = ["docs/deployment.md", "docs/commands.md", "docs/operations.md", "README.md", "docs/demo.md"];

/** Variables that pages share. */
const SHARED = ["ACCOUNT", "TOKEN", "LINK", "ENDPOINT", "PASSWORD", "API"];
const VARIABLES = "/run/drill-variables";
const READY = "curl -s http://127.0.0.1:8080/readyz";

interface FollowOptions {
  /** Where to clone from; `null` if the program is already installed. */
  readonly repository: string | null;
  readonly env?: Readonly<Record<string, string>>;
  readonly onBlock?: (block: Block) => void;
}

export interface Following {
  /** Follows the deployment page from the installation to the restore, then every other page on that server. */
  follow(): Promise<void>;
  readonly ran: readonly Block[];
}

/**
 * Does on the machine what the pages say, block by block and as written. If the program is already installed, the lines
 * that fetch it are skipped.
 */
export function followDocumentation(
  machine: SpareMachine,
  { repository, env = {}, onBlock = () => {} }: FollowOptions,
): Following {
  const ran: Block[] = [];

  const runBlock = async (block: Block): Promise<Outcome> => {
    onBlock(block);
    ran.push(block);
    const keep = SHARED.map((name) => `[ -z "\${${name}+x}" ] || printf "%s='%s'\\n" ${name} "$${name}"`).join("\n");
    const text = `touch ${VARIABLES}; . ${VARIABLES}\ncd /root\n${written(block.text, repository)}\n{ ${keep}; } > ${VARIABLES}`;
    const outcome = await machine.run(text, { env });
    if (outcome.code !== 0)
      throw new Error(`${block.page}:${block.line} fails with ${outcome.code}: ${outcome.out}${outcome.err}`);
    return outcome;
  };

  const followPage = async (page: string): Promise<void> => {
    for (const block of blocksOf(page)) {
      if (block.file !== null) machine.write(block.file, block.text);
      else if (isRun(block)) {
        await runBlock(block);
        if (/systemctl (enable --now|start|restart|reload) kurz$/m.test(block.text)) await untilServing(machine);
      }
    }
  };

  return {
    ran,
    async follow() {
      machine.write("/usr/local/sbin/systemctl", SYSTEMCTL, 0o755);
      // A refused call counts as a failed command.
      machine.write("/root/.curlrc", "fail-with-body\n");
      await followPage("docs/deployment.md");
      await prepare(machine);
      // The first page creates what the others use and the last one deletes.
      await followPage("docs/commands.md");
      await makeLink(machine);
      for (const page of documentedPages.filter((name) => !APART.includes(name))) await followPage(page);
      await followPage("docs/operations.md");
    },
  };
}

/** As on the page, except for the repository; what is already installed isn't fetched again. */
const written = (text: string, repository: string | null): string =>
  repository === null
    ? text.replace(/^git clone .*\n/m, "").replace(/^(cd \/opt\/kurz) && .*npm ci$/m, "$1")
    : text.replace(INSTALLS, `git clone ${repository}`);

async function untilServing(machine: SpareMachine): Promise<void> {
  await until("the server serves", async () => (await machine.run(READY)).code === 0, 60_000);
}

/** What the reader brings along: a password and a picture. */
async function prepare(machine: SpareMachine): Promise<void> {
  await mustRun(machine, `echo "PASSWORD='correct horse battery'" > ${VARIABLES}`);
  const picture = solidPng(64, 64, [122, 10, 60, 255]).toString("base64");
  await mustRun(machine, `echo ${picture} | base64 -d > /tmp/logo.png`);
}

/** A token, a link and a webhook endpoint, whose ids other pages use. */
async function makeLink(machine: SpareMachine): Promise<void> {
  const create = `. ${VARIABLES}
    token=$(kurz tokens create --account "$ACCOUNT" --name Docs --scopes all)
    link=$(curl -s http://localhost:8080/api/v1/links -H "Authorization: Bearer $token" \\
      -H "Content-Type: application/json" -d '{"destination_url": "https://example.com/"}' \\
      | sed 's/.*"id":"\\(lnk_[^"]*\\)".*/\\1/')
    endpoint=$(kurz webhooks create --account "$ACCOUNT" --url https://hooks.example/kurz | sed 's/.*"\\(we_[^"]*\\)".*/\\1/')
    echo "TOKEN='$token' LINK='$link' ENDPOINT='$endpoint'" >> ${VARIABLES}`;
  await mustRun(machine, create);
}

async function mustRun(machine: SpareMachine, text: string): Promise<void> {
  const { code, err } = await machine.run(text);
  if (code !== 0) throw new Error(`${text} fails: ${err}`);
}

/** systemd would have to be the first process; this does what the units say, as far as Kurz depends on it. */
const SYSTEMCTL = `#!/bin/sh
set -eu
action=$1
shift
[ "$1" != --now ] || shift
unit=/etc/systemd/system/\${1%.*}.service
[ -f "$unit" ] || unit=/etc/systemd/system/$1.service
pid=/run/$(basename "$unit").pid
value() { sed -n "s/^$1=//p" "$unit" | sed 's/\\$\\$/$/g; s/%%/%/g'; }
stop() {
  [ -f "$pid" ] || return 0
  kill "$(cat "$pid")"
  while kill -0 "$(cat "$pid")" 2>/dev/null; do sleep 0.1; done
  rm "$pid"
}
start() {
  cd "$(value WorkingDirectory | grep . || echo /)"
  set -a
  . "$(value EnvironmentFile)"
  user=$(value User)
  if [ "$(value Type)" = oneshot ]; then
    runuser -u "$user" -- sh -c "$(value ExecStart)"
    runuser -u "$user" -- sh -c "$(value ExecStartPost)"
  else
    setsid setpriv --reuid="$user" --regid="$user" --init-groups $(value ExecStart) >/var/log/kurz.log 2>&1 </dev/null &
    echo $! > "$pid"
  fi
}
case $action in
  enable | start) start ;;
  stop) stop ;;
  restart) stop; start ;;
  reload)
    set -a
    . "$(value EnvironmentFile)"
    runuser -u "$(value User)" -- $(value ExecReload)
    ;;
  *) echo "systemctl $action is not known here" >&2; exit 1 ;;
esac
`;
