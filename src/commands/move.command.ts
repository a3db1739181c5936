import { ConfigError } from "#config/load-config.ts";
import type { Config } from "#config/settings.ts";
import { readSettingsFile } from "#config/settings-file.ts";
import type { MoveProgress } from "#engines/records/move/records-move.ts";
import type { Moved } from "#move/moved.ts";
import { type LocalContext, localCommand } from "./command.ts";
import { flag, required } from "./option.ts";
import { filePath } from "./option-values.ts";
import { throttle } from "./throttle.ts";

const PROGRESS_EVERY_MS = 200;

export const move = localCommand({
  name: "move",
  summary: "Move a deployment from its data directory to PostgreSQL, and its clicks to ClickHouse",
  notes:
    "Copies all records: accounts, people, tokens, links, webhooks and their history. If the file sets CLICKHOUSE_URL, also copies all clicks, and aggregated counts of older clicks; otherwise clicks stay in the data directory, whose data isn't changed either way. " +
    "While the server runs, the copy is of the moment the command starts, and clicks aren't copied; move again with the server stopped before you switch, which is refused otherwise. " +
    "If this command's own settings have DATABASE_URL, because the records are there already, only clicks are copied, and the server must be stopped. " +
    "Each move replaces the one before and takes effect as a whole, after everything was compared, so it can be interrupted and repeated at any time. " +
    'See "Moving to PostgreSQL and ClickHouse" in docs/operations.md.',
  options: {
    to: required(
      "FILE",
      filePath,
      "The settings of the new deployment, as lines such as DATABASE_URL=…; all others are those of this command.",
    ),
    "dry-run": flag("Only check whether it would work and show what would be copied."),
    discard: flag("Replace what a server has written to the databases since the last move."),
  },
  run: async ({ config, paths, configWith, say, progress }, input) => {
    const { moveDeployment } = await import("#move/move.ts");
    const target = readTarget(input.to, configWith);
    const showProgress = throttle(progress, PROGRESS_EVERY_MS);
    let step: string | undefined;
    return moveDeployment({
      config,
      paths,
      target,
      discards: input.discard,
      isDryRun: input["dry-run"],
      onWait: (problem) => void say(`waiting for the server, then trying again: ${problem}`),
      onProgress: (part, now) => {
        const title = `${STEPS[now.step]} ${part}`;
        if (title !== step) void say(title);
        step = title;
        if (now.table !== "") showProgress(`${now.step} ${now.table}: ${figure(now.rows)} of ${figure(now.rowsMax)}`);
      },
    });
  },
  print: (moved) => [...describeRows(moved), ...describeClicks(moved), ...describeNext(moved)].join("\n"),
  notice: ({ texts_with_nul: texts }) =>
    texts === 0
      ? null
      : `${figure(texts)} texts contained NUL characters, which PostgreSQL can't store; they became U+FFFD`,
});

const STEPS = {
  copying: "copying",
  indexing: "building indexes of",
  verifying: "comparing copied",
} as const satisfies Record<MoveProgress["step"], string>;

const figure = (count: number): string => count.toLocaleString("en-US");

/** Problems are those of the file, not of the command's own settings. */
function readTarget(path: string, configWith: LocalContext["configWith"]): Config {
  const settings = readSettingsFile(path);
  try {
    return configWith(settings);
  } catch (error) {
    throw error instanceof ConfigError ? new ConfigError(error.lines.map((line) => `with ${path}: ${line}`)) : error;
  }
}

function describeRows({ to, tables, is_dry_run }: Moved): readonly string[] {
  if (to === null) return [];
  const rows = figure(tables.reduce((sum, table) => sum + table.rows, 0));
  const links = figure(tables.find(({ name }) => name === "links")?.rows ?? 0);
  if (is_dry_run) return [`A move would copy ${rows} rows (${links} links) to ${to}. Nothing was changed.`];
  return [`Copied ${rows} rows (${links} links) to ${to}: every table has the same count and checksum there.`];
}

function describeClicks({ to, clicks, clicks_in, is_dry_run }: Moved): readonly string[] {
  if (clicks_in !== null) return [`Clicks stay in ${clicks_in}.`];
  if (clicks === null) return ["Clicks aren't copied while the server is running."];
  const rowsOf = (name: string): string => figure(clicks.tables.find((table) => table.name === name)?.rows ?? 0);
  const what = `${rowsOf("clicks")} clicks and ${rowsOf("compacted_clicks")} aggregated counts of older clicks`;
  if (is_dry_run && to === null) return [`A move would copy ${what} to ${clicks.to}. Nothing was changed.`];
  return is_dry_run
    ? [`It would also copy ${what} to ${clicks.to}.`]
    : [`Copied ${what} to ${clicks.to}: each day has the same count and checksum there.`];
}

function describeNext({ is_dry_run, is_final, taken_at }: Moved): readonly string[] {
  if (is_dry_run) return [];
  return is_final
    ? ["To switch, start the server with the new settings and the same data directory."]
    : [`The server is running: what changed after ${taken_at} isn't copied. To switch, stop it and move again.`];
}
