import { z } from "zod";
import type { Services } from "#runtime/services.ts";
import type { CommandContext } from "./command.ts";
import { findCommand } from "./command-list.ts";
import { failureLines } from "./failure-text.ts";

export type CommandAnswer = { readonly result: unknown } | { readonly error: { readonly message: string } };

const CommandRequest = z.strictObject({
  command: z.string(),
  input: z.record(z.string(), z.union([z.string(), z.literal(true)])),
});

/** Carries out operators' commands in the process that owns the engines. Whoever can reach its socket may do all. */
export function adminHandler(services: Services): (request: Request) => Promise<Response> {
  const context: CommandContext = { config: services.config, paths: services.paths, services: () => services };
  return async (request) => {
    if (request.method !== "POST" || !request.url.endsWith("/commands")) return refuse(404, "there is only /commands");
    const parsed = CommandRequest.safeParse(await request.json().catch(() => null));
    if (!parsed.success) return refuse(400, "this is not a command");
    const { command: name, input } = parsed.data;
    const command = findCommand(name);
    if (!command) return refuse(404, `the running server does not know "${name}"; restart it after an upgrade`);
    try {
      return answer(200, { result: (await command.run(context, input)) ?? null });
    } catch (error) {
      return refuse(422, failureLines(error).join("; "));
    }
  };
}

const refuse = (status: number, message: string): Response => answer(status, { error: { message } });

const answer = (status: number, body: CommandAnswer): Response => Response.json(body, { status });
