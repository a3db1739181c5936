import { BODY_BYTES_MAX, BULK_BODY_BYTES_MAX, BULK_PATH, MCP_PATH, SHARE_PATH } from "#contract/limits.ts";

// The console uploads images.
const CONSOLE_BODY_BYTES_MAX = 1024 * 1024;
/** How much memory all arriving bodies may use in this process. */
export const ARRIVING_BYTES_MAX = 64 * 1024 * 1024;

const GRACE_MS = 10_000;
const BYTES_PER_SECOND_MIN = 16 * 1024;

/** A larger body is refused whatever it contains: control only gets its length. */
export function bodyBytesMax(target: string): number {
  const [path = ""] = target.split("?", 1);
  // A tool call may be one of many operations.
  if (path === BULK_PATH || path === MCP_PATH) return BULK_BODY_BYTES_MAX;
  return isApi(target) || SHARE_PATH.test(target) ? BODY_BYTES_MAX : CONSOLE_BODY_BYTES_MAX;
}

/** For programs with a token: operations, and the tools that call them. */
export const isApi = (target: string): boolean => /^\/(?:api|mcp)(?:[/?]|$)/.test(target);

/** How long a body of this length may take to arrive. */
export const arrivalMsMax = (bytes: number): number => GRACE_MS + (bytes / BYTES_PER_SECOND_MIN) * 1000;
