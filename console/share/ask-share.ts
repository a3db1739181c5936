import { type CallInput, type CallOutput, call } from "#console/api/call.ts";
import type { Endpoint } from "#contract/endpoint.ts";
import { SHARE_ACCESS_HEADER } from "#contract/share-page.ts";
import { shareAccess } from "./share-access.ts";

/** Asks the server for a part of a shared report. */
export function askShare<const E extends Endpoint>(endpoint: E, input: CallInput<E>): Promise<CallOutput<E>> {
  const access = shareAccess.get();
  const headers: Readonly<Record<string, string>> = access === null ? {} : { [SHARE_ACCESS_HEADER]: access };
  return call(endpoint, { ...input, headers }, null);
}
