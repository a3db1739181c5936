import { Kurz } from "../../sdk/src/client.ts";
import { version } from "../package.json";
import type { Context } from "./command.ts";
import { commands } from "./command-list.ts";
import { findConnection } from "./connection.ts";
import { exitCodes } from "./exit-codes.ts";
import { describeFailure, type Failure } from "./failure.ts";
import { helpText } from "./help.ts";
import type { Io } from "./io.ts";
import { beforeTerminator, parseCommandLine } from "./parse-command-line.ts";
import { configPath, ProfileStore } from "./profile-store.ts";
import { type Environment, styled, viewOf } from "./view.ts";

/** Runs one command and returns the exit code of the process. */
export async function runKurz(argv: readonly string[], env: Environment, io: Io): Promise<number> {
  const isJson = beforeTerminator(argv).includes("--json");
  try {
    const line = parseCommandLine(argv, commands);
    if (line.kind === "version") await io.out(`kurz ${version}\n`);
    else if (line.kind === "help") await io.out(`${helpText(line.topic, commands)}\n`);
    else {
      const { command, input, profileName } = line;
      const result = await command.run(await newContext(io, env, profileName), input);
      const text = isJson ? toJson(result) : command.print(result, viewOf(io, env));
      if (text !== "") await io.out(`${text}\n`);
    }
    return exitCodes.done;
  } catch (error) {
    const failure = describeFailure(error);
    await io.err(isJson ? `${toJson({ error: jsonOf(failure) })}\n` : textOf(failure, io, env));
    return failure.exitCode;
  }
}

async function newContext(io: Io, env: Environment, profileName: string | undefined): Promise<Context> {
  const profiles = new ProfileStore(configPath(env));
  if (profiles.isExposed()) await io.err(`kurz: others can read ${profiles.path}; run: chmod 600 ${profiles.path}\n`);
  const connection = () => findConnection({ env, profiles, profileName });
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

const jsonOf = ({ code, lines, requestId, exitCode }: Failure) => ({
  code,
  message: lines.join("\n"),
  request_id: requestId,
  exit_code: exitCode,
});

function textOf({ lines, requestId }: Failure, io: Io, env: Environment): string {
  const [first = "", ...rest] = lines;
  const request = requestId === null ? [] : [styled(`  request ${requestId}`, "dim", viewOf(io, env))];
  return [`kurz: ${first}`, ...rest, ...request].map((line) => `${line}\n`).join("");
}
