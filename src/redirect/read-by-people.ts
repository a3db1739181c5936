import { isNavigation } from "#kernel/is-navigation.ts";

const CALLED = /^\/(?:(?:console\/)?api|mcp)(?:[/?]|$)/;

/**
 * Whether a person reads the answer and so gets a page instead of a JSON error. Browsers open URLs of the console's own
 * API for downloads; the public API always answers with JSON.
 */
export const isReadByPeople = (target: string, headers: Pick<Headers, "get">): boolean =>
  !CALLED.test(target) || (target.startsWith("/console/") && isNavigation(headers));
