import { type OutboundClient, OutboundError } from "./outbound-client.ts";

/** Judges URLs as they are judged everywhere, and sends nothing. */
export const silentClient = ({ findUrlProblem }: OutboundClient): OutboundClient => ({
  findUrlProblem,
  post: () => Promise.reject(new OutboundError("skipped_demo", 0)),
});
