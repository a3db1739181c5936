import { Kurz } from "../../sdk/src/client.ts";
import { beforeTerminator } from "../../shared/command-words.ts";
import { version } from "../package.json";
import type { Context } from "./command.ts";
import { commands } from "./command-list.ts";
import { findConnection } from "./connection.ts";
import { exitCodes, SomeFailed } from "./exit-codes.ts";
import { describeFailures, type Failure } from "./failure.ts";
import { helpText } from "./help.ts";
import type { Io } from "./io.ts";
import { type CommandLine, parseCommandLine } from "./parse-command-line.ts";
import { escapeTexts } from "./printable.ts";
import { ProfileStore } from "./profile-store.ts";
import { type Environment, hasColour, styled, viewOf } from "./view.ts";

/** Runs one command and returns the exit code of the process. */
export async function runKurz(argv: readonly string[], env: Environment, io: Io): Promise<number> {
  const isJson = beforeTerminator(argv).includes("--json");
  try {
    const line = parseCommandLine(argv, commands);
    if (line.kind === "version") await io.out(`kurz ${version}\n`);
    else if (line.kind === "help") await io.out(`${helpText(line.topic, commands)}\n`);
    else {
      const print = (result: unknown): string =>
        isJson ? toJson(result) : line.command.print(escapeTexts(result), viewOf(io, env));
      await runCommand(line, newContext(io, env, line.profileName), print);
    }
    return exitCodes.done;
  } catch (error) {
    const failures = describeFailures(error);
    for (const failure of failures) {
      await io.err(isJson ? `${toJson({ error: jsonOf(failure) })}\n` : textOf(failure, io, env));
    }
    return Math.max(...failures.map(({ exitCode }) => exitCode));
  }
}

async function runCommand(
  { command, input }: Extract<CommandLine, { kind: "command" }>,
  context: Context,
  print: (result: unknown) => string,
): Promise<void> {
  const show = async (result: unknown): Promise<void> => {
    const text = print(result);
    if (text !== "") await context.io.out(`${text}\n`);
  };
  try {
    await show(await command.run(context, input));
  } catch (error) {
    if (error instanceof SomeFailed) await show(error.done);
    throw error;
  }
}

function newContext(io: Io, env: Environment, profileName: string | undefined): Context {
  const profiles = new ProfileStore(env, (text) => void io.err(`kurz: ${text}\n`));
  const connection = (name = profileName) => findConnection({ env, profiles, profileName: name });
  return {
    io,
    env,
    profiles,
    profileName,
    connection,
    kurz() {
      const { url, token } = connection();
      return new Kurz({ baseUrl: url, token, userAgent: `kurz-cli/${version}` });
    },
  };
}

/** The same value, with everything escaped that a terminal could take for a command. */
const toJson = (value: unknown): string =>
  JSON.stringify(value).replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) =>
    Array.from(
      { length: character.length },
      (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`,
    ).join(""),
  );

const jsonOf = ({ code, lines, requestId, exitCode, link }: Failure) => ({
  code,
  message: lines.join("\n"),
  request_id: requestId,
  exit_code: exitCode,
  ...(link !== undefined && { link }),
});

function textOf({ lines, requestId, link }: Failure, io: Io, env: Environment): string {
  const [first = "", ...rest] = lines;
  const request =
    requestId === null
      ? []
      : [styled(`  request ${requestId}`, "dim", { hasColour: hasColour(io.errIsTerminal, env) })];
  return [link === undefined ? `kurz: ${first}` : `kurz: ${link}: ${first}`, ...rest, ...request]
    .map((line) => `${line}\n`)
    .join("");
}
