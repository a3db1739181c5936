import { z } from "zod";
import { Account } from "./account.ts";
import { consoleEndpoint } from "./endpoint.ts";
import { noSudo, sudoFor } from "./sudo.ts";

/** A path below /console that signing in may lead to. */
const Next = z
  .string()
  .max(2000)
  .regex(/^\/(?:a|join)\//)
  .optional();

export const startSingleSignOn = consoleEndpoint({
  id: "console.sso.start",
  open: true,
  method: "POST",
  path: "/console/api/sso/start",
  summary: "Start signing in or re-authenticating with the operator's provider",
  sudo: noSudo("Only returns the provider's address to continue at."),
  body: z.strictObject({
    next: Next,
    confirm: z.boolean().optional().describe("Whether the signed-in user re-authenticates, instead of signing in."),
  }),
  status: 200,
  response: z.object({ url: z.string() }),
});

export const finishSingleSignOn = consoleEndpoint({
  id: "console.sso.finish",
  open: true,
  method: "POST",
  path: "/console/api/sso/finish",
  summary: "Finish signing in with what the provider has sent to the callback address",
  sudo: noSudo("Requires the provider's answer to a sign-in that this browser has started."),
  body: z.strictObject({
    state: z.string().min(1).max(255),
    code: z.string().min(1).max(4000).optional(),
    iss: z.string().max(2000).optional(),
    error: z.string().min(1).max(255).optional(),
  }),
  status: 200,
  response: z.object({ next: z.string().nullable() }),
});

export const requireSingleSignOn = consoleEndpoint({
  id: "console.account.sso",
  method: "PUT",
  path: "/console/api/account/sso",
  summary: "Choose whether members must sign in with the operator's provider",
  sudo: sudoFor("Locks out members without the provider, or lets passwords in again."),
  role: "owner",
  body: z.strictObject({ required: z.boolean() }),
  status: 200,
  response: Account,
});
