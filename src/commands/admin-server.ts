import { z } from "zod";
import type { Services } from "#runtime/services.ts";
import type { CommandContext } from "./command.ts";
import { findCommand } from "./command-list.ts";
import { failureLines } from "./failure-text.ts";
import { UsageError } from "./usage-error.ts";

/** One per line: progress, any number of times, and finally the outcome. */
export type CommandMessage =
  | { readonly progress: string }
  | { readonly result: unknown }
  | { readonly error: { readonly message: string; readonly isUsage?: boolean } };

const CommandRequest = z.strictObject({
  command: z.string(),
  input: z.record(z.string(), z.union([z.string(), z.literal(true)])),
});

/**
 * Runs commands in the process that owns the engines. Anyone who can connect to its socket can do everything. Long work
 * ends early when the server stops or the operator disconnects.
 */
export function adminHandler(
  services: Services,
  stopping: AbortSignal = new AbortController().signal,
): (request: Request) => Promise<Response> {
  const { config, paths } = services;
  const base = { config, paths, isServer: true, services: async () => services };
  return async (request) => {
    if (request.method !== "POST" || !request.url.endsWith("/commands"))
      return refuse(404, "the only path is /commands");
    const parsed = CommandRequest.safeParse(await request.json().catch(() => null));
    if (!parsed.success) return refuse(400, "the body is not a command");
    const { command: name, input } = parsed.data;
    const command = findCommand(name);
    if (!command)
      return refuse(404, `the running server doesn't know the command "${name}"; restart it after an upgrade`);
    return streamOutcome((disconnected, progress) =>
      command.run({ ...base, signal: AbortSignal.any([stopping, disconnected]), progress }, input),
    );
  };
}

/** Streams progress while the work runs, and then its outcome. */
function streamOutcome(
  work: (disconnected: AbortSignal, progress: CommandContext["progress"]) => Promise<unknown>,
): Response {
  const disconnected = new AbortController();
  const lines = new ReadableStream<string>({
    async start(controller) {
      const send = (message: CommandMessage): void => {
        if (!disconnected.signal.aborted) controller.enqueue(lineOf(message));
      };
      try {
        send({ result: (await work(disconnected.signal, (text) => send({ progress: text }))) ?? null });
      } catch (error) {
        send({ error: { message: failureLines(error).join("; "), isUsage: error instanceof UsageError } });
      }
      if (!disconnected.signal.aborted) controller.close();
    },
    cancel: () => disconnected.abort(new Error("the operator disconnected")),
  });
  return new Response(lines.pipeThrough(new TextEncoderStream()), { headers: { "content-type": CONTENT_TYPE } });
}

const CONTENT_TYPE = "application/x-ndjson";

const lineOf = (message: CommandMessage): string => `${JSON.stringify(message)}\n`;

const refuse = (status: number, message: string): Response =>
  new Response(lineOf({ error: { message } }), { status, headers: { "content-type": CONTENT_TYPE } });
