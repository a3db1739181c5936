import { codeOf } from "#kernel/error-codes.ts";
import { findAccessProblem } from "#runtime/server-access.ts";
import type { CommandMessage } from "./admin-server.ts";
import type { RawInput } from "./command.ts";
import { UsageError } from "./usage-error.ts";

/** A server has the data, but doesn't accept commands yet, or no longer. Nothing was sent. */
export class ServerNotListening extends Error {}

/** The connection broke after the command was sent, so it may or may not have been carried out. */
export class CommandInterrupted extends Error {}

/** Runs a command in the server. */
export async function sendToServer(
  socket: string,
  command: string,
  input: RawInput,
  onProgress: (text: string) => void = () => {},
): Promise<unknown> {
  for await (const message of messagesOf(socket, JSON.stringify({ command, input }))) {
    if ("result" in message) return message.result;
    if ("error" in message) throw errorOf(message.error);
    onProgress(message.progress);
  }
  throw interrupted();
}

const errorOf = ({ message, isUsage = false }: { readonly message: string; readonly isUsage?: boolean }): Error =>
  isUsage ? new UsageError(message) : new Error(message);

async function* messagesOf(socket: string, body: string): AsyncGenerator<CommandMessage> {
  try {
    const response = await fetch("http://localhost/commands", {
      unix: socket,
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
      // A reused connection may be dead, and a command must not be sent twice.
      keepalive: false,
      timeout: false,
    });
    let text = "";
    for await (const piece of (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
      const lines = (text + piece).split("\n");
      text = lines.pop() ?? "";
      for (const line of lines) yield JSON.parse(line) as CommandMessage;
    }
  } catch (error) {
    throw explain(error);
  }
}

function explain(error: unknown): Error {
  const code = codeOf(error);
  if (code === "ENOENT" || code === "ECONNREFUSED") {
    return new ServerNotListening(
      "the server is running but not accepting commands; try again in a moment, or run kurz doctor",
    );
  }
  return findAccessProblem(error) ?? interrupted();
}

const interrupted = (): Error =>
  new CommandInterrupted("the connection to the server broke; check whether the command was carried out");
