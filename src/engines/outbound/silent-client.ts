import { type OutboundClient, OutboundError } from "./outbound-client.ts";

/** Checks URLs like the real client, but sends nothing. */
export const silentClient = ({ findUrlProblem }: OutboundClient): OutboundClient => ({
  findUrlProblem,
  post: () => Promise.reject(new OutboundError("skipped_demo", 0)),
});
