import type { CommandMessage } from "./admin-server.ts";
import type { RawInput } from "./command.ts";

/** A server holds the data but does not listen for commands yet, or no more. Nothing was sent. */
export class ServerNotListening extends Error {}

/** Has the running server carry out a command. */
export async function sendToServer(
  socket: string,
  command: string,
  input: RawInput,
  onProgress: (text: string) => void = () => {},
): Promise<unknown> {
  for await (const message of messagesOf(socket, JSON.stringify({ command, input }))) {
    if ("result" in message) return message.result;
    if ("error" in message) throw new Error(message.error.message);
    onProgress(message.progress);
  }
  throw brokenOff();
}

async function* messagesOf(socket: string, body: string): AsyncGenerator<CommandMessage> {
  try {
    const response = await fetch("http://localhost/commands", {
      unix: socket,
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
      // A connection kept for later may be dead by then, and a command must not be sent twice.
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
  const { code } = error as NodeJS.ErrnoException;
  if (code === "ENOENT" || code === "ECONNREFUSED") {
    return new ServerNotListening("the server runs but does not take commands yet; try again in a moment");
  }
  if (code === "EACCES" || code === "EPERM") {
    return new Error(`the running server cannot be reached (${code}); is this the user that runs the server?`);
  }
  return brokenOff();
}

const brokenOff = (): Error =>
  new Error("the server broke off before it answered; look whether the command was carried out");
