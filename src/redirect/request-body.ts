import { BODY_BYTES_MAX } from "#contract/limits.ts";
import { arrivalMsMax } from "./body-limits.ts";
import type { FairShares } from "./fair-shares.ts";

/** `whole`: as passed to control, `null` if there is none. `unread`: control answers without it. */
export type PassedBody =
  | { readonly kind: "whole"; readonly bytes: Uint8Array | null }
  | { readonly kind: "unread"; readonly length: number | undefined };

/** `late`: it didn't arrive in time, or never will. `refused`: too many bodies of this party are arriving already. */
export type RequestBody = PassedBody | { readonly kind: "late" } | { readonly kind: "refused" };

const LATE: RequestBody = { kind: "late" };
const NONE: PassedBody = { kind: "whole", bytes: null };

/** Whether there is a body. Doesn't touch `request.body`, which would create a stream. */
export const hasBody = ({ method, headers }: Request): boolean =>
  method !== "GET" && method !== "HEAD" && (headers.has("transfer-encoding") || (statedLength(headers) ?? 0) > 0);

/** Whether a body that isn't needed is too large to wait for. */
export const hasLargeBody = (request: Request): boolean =>
  hasBody(request) && !((statedLength(request.headers) ?? Number.NaN) <= BODY_BYTES_MAX);

/** `undefined` for a chunked body. */
export function statedLength(headers: Headers): number | undefined {
  const length = headers.get("content-length");
  return length === null ? undefined : Number(length);
}

/**
 * Reads a body completely before it is passed on, so a client that sends slowly only uses a little memory in this
 * process.
 */
export class BodyReader {
  readonly #arriving: FairShares;

  constructor(arriving: FairShares) {
    this.#arriving = arriving;
  }

  async read(request: Request, party: string, bytesMax: number): Promise<RequestBody> {
    if (!hasBody(request)) return NONE;
    const length = statedLength(request.headers);
    if (length !== undefined && length > bytesMax) return { kind: "unread", length };
    const room = length ?? bytesMax;
    if (!this.#arriving.take(party, room)) return { kind: "refused" };
    try {
      const read = length === undefined ? readChunks(request, bytesMax) : readStated(request);
      return await inTime(read, arrivalMsMax(room));
    } catch {
      // The client disconnected.
      return LATE;
    } finally {
      this.#arriving.giveBack(party, room);
    }
  }
}

const readStated = async (request: Request): Promise<RequestBody> => ({ kind: "whole", bytes: await request.bytes() });

async function readChunks({ body }: Request, bytesMax: number): Promise<RequestBody> {
  if (body === null) return NONE;
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return { kind: "whole", bytes: Buffer.concat(chunks, length) };
    length += value.length;
    if (length > bytesMax) {
      reader.releaseLock();
      return { kind: "unread", length };
    }
    chunks.push(value);
  }
}

async function inTime(read: Promise<RequestBody>, ms: number): Promise<RequestBody> {
  const { promise: late, resolve } = Promise.withResolvers<RequestBody>();
  const timer = setTimeout(() => resolve(LATE), ms);
  try {
    return await Promise.race([read, late]);
  } finally {
    clearTimeout(timer);
  }
}
