import { z } from "zod";
import type { Services } from "#runtime/services.ts";
import type { CommandContext } from "./command.ts";
import { findCommand } from "./command-list.ts";
import { failureLines } from "./failure-text.ts";

/** One line each: how far the work has come, as often as there is something to tell, and at last its outcome. */
export type CommandMessage =
  | { readonly progress: string }
  | { readonly result: unknown }
  | { readonly error: { readonly message: string } };

const CommandRequest = z.strictObject({
  command: z.string(),
  input: z.record(z.string(), z.union([z.string(), z.literal(true)])),
});

/**
 * Carries out operators' commands in the process that owns the engines. Whoever can reach its socket may do all. Long
 * work ends early when the server stops or the operator leaves.
 */
export function adminHandler(
  services: Services,
  stopping: AbortSignal = new AbortController().signal,
): (request: Request) => Promise<Response> {
  const { config, paths } = services;
  const base = { config, paths, isServer: true, services: () => services };
  return async (request) => {
    if (request.method !== "POST" || !request.url.endsWith("/commands")) return refuse(404, "there is only /commands");
    const parsed = CommandRequest.safeParse(await request.json().catch(() => null));
    if (!parsed.success) return refuse(400, "this is not a command");
    const { command: name, input } = parsed.data;
    const command = findCommand(name);
    if (!command) return refuse(404, `the running server does not know "${name}"; restart it after an upgrade`);
    return answerWith((left, progress) =>
      command.run({ ...base, signal: AbortSignal.any([stopping, left]), progress }, input),
    );
  };
}

/** Sends what the work tells while it runs, and its outcome at the end. */
function answerWith(work: (left: AbortSignal, progress: CommandContext["progress"]) => Promise<unknown>): Response {
  const left = new AbortController();
  const lines = new ReadableStream<string>({
    async start(controller) {
      const send = (message: CommandMessage): void => {
        if (!left.signal.aborted) controller.enqueue(lineOf(message));
      };
      try {
        send({ result: (await work(left.signal, (text) => send({ progress: text }))) ?? null });
      } catch (error) {
        send({ error: { message: failureLines(error).join("; ") } });
      }
      if (!left.signal.aborted) controller.close();
    },
    cancel: () => left.abort(new Error("the operator has left")),
  });
  return new Response(lines.pipeThrough(new TextEncoderStream()), { headers: { "content-type": CONTENT_TYPE } });
}

const CONTENT_TYPE = "application/x-ndjson";

const lineOf = (message: CommandMessage): string => `${JSON.stringify(message)}\n`;

const refuse = (status: number, message: string): Response =>
  new Response(lineOf({ error: { message } }), { status, headers: { "content-type": CONTENT_TYPE } });
