import { isNavigation } from "#kernel/is-navigation.ts";

const CALLED = /^\/(?:console\/)?api(?:[/?]|$)/;

/**
 * Whether a person reads the answer, who gets a page where a program gets the error envelope. A browser opens addresses
 * of the console's own API to download what they give; the public API speaks JSON to everyone.
 */
export const isReadByPeople = (target: string, headers: Pick<Headers, "get">): boolean =>
  !CALLED.test(target) || (target.startsWith("/console/") && isNavigation(headers));
