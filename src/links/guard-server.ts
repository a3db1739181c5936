import { z } from "zod";
import type { LinkGuards } from "./link-guards.service.ts";

const Question = z.strictObject({
  linkNo: z.int(),
  password: z.string().nullable(),
  network: z.string(),
  usesClick: z.boolean(),
});

/**
 * Answers the questions of this node's redirect processes. It has a socket of its own, which no request of a client is
 * ever passed to.
 */
export function guardHandler(
  guards: LinkGuards,
  onProblem: (message: string, error: unknown) => void,
): (request: Request) => Promise<Response> {
  return async (request) => {
    try {
      return Response.json(await guards.open(Question.parse(await request.json())));
    } catch (error) {
      // The visitor is asked to try again: nobody knows whether they may pass.
      onProblem("whether a visitor may open a guarded link could not be decided", error);
      return new Response(null, { status: 503 });
    }
  };
}
