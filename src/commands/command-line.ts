import { dataPaths } from "#config/data-paths.ts";
import { loadConfig } from "#config/load-config.ts";
import { withSettings } from "#config/settings-file.ts";
import { operatorConfig } from "#demo/operator-config.ts";
import { keepLibraryIn } from "#engines/own-library.ts";
import { commandFor } from "#runtime/command-name.ts";
import { failureLines } from "./failure-text.ts";
import { invoke } from "./invoke.ts";
import { parseCommandLine } from "./parse-command-line.ts";
import { processTerminal, type Terminal } from "./terminal.ts";
import { UsageError } from "./usage-error.ts";

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;

/** Runs one command and returns the exit code of the process. */
export async function runCommandLine(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  terminal: Terminal = processTerminal,
): Promise<number> {
  let dataDir: string | undefined;
  try {
    const line = parseCommandLine(argv);
    if (line.kind === "text") {
      await terminal.out(`${line.text}\n`);
      return 0;
    }
    const { command, json } = line;
    const loaded = loadConfig(env);
    keepLibraryIn(dataPaths(loaded.dataDir).library);
    const config = operatorConfig(loaded);
    dataDir = config.dataDir;
    terminal.note(`kurz: data directory ${dataDir}\n`);
    const raw = await command.ask(line.raw, {
      invoke: (other, input) => invoke(config, other, input),
      readPassword: (prompt) => terminal.readPassword(prompt),
      setting: (name) => env[name] || undefined,
    });
    const paths = dataPaths(config.dataDir);
    const say = (text: string) => terminal.err(`kurz: ${text}\n`);
    const onProgress = (text: string) => terminal.progress(text);
    const configWith = (settings: Readonly<Record<string, string>>) => loadConfig(withSettings(env, settings));
    const result = await (command.runLocally?.({ config, paths, configWith, say, progress: onProgress }, raw) ??
      invoke(config, command, raw, { onProgress }));
    terminal.progress("");
    const program = commandFor(dataDir);
    const notice = command.notice(result, program);
    if (notice !== null) await say(notice);
    await terminal.out(`${json ? JSON.stringify(result) : command.print(result, program)}\n`);
    return command.exitCode(result);
  } catch (error) {
    terminal.progress("");
    const lines = nameDirectory(failureLines(error), error instanceof UsageError ? undefined : dataDir);
    await terminal.err(lines.map((line) => `kurz: ${line}\n`).join(""));
    return error instanceof UsageError ? EXIT_USAGE : EXIT_FAILED;
  }
}

/** "There is no such account" often means that the operator meant another directory. */
function nameDirectory(lines: readonly string[], dataDir: string | undefined): readonly string[] {
  if (dataDir === undefined || lines.some((line) => line.includes(dataDir))) return lines;
  return lines.with(-1, `${lines.at(-1)} (data directory: ${dataDir})`);
}
