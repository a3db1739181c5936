import { type ComponentType, lazy, type ReactNode } from "react";
import { untilReachable } from "./reach.ts";
import { askServer } from "./watch-reach.ts";

/**
 * Loads code that isn't part of the first load. If the server can't be reached, it waits until it can and tries again,
 * so that the person who opened it stays where they are. It only fails if a server that answers doesn't have the code,
 * as after an update.
 */
export async function loadPart<M>(load: () => Promise<M>): Promise<M> {
  let hasAnswered = false;
  for (;;) {
    try {
      return await load();
    } catch (error) {
      if (hasAnswered) return loadByAnotherName(error);
      hasAnswered = await askServer();
      await untilReachable();
    }
  }
}

/** Chromium's words, with the address of the file. */
const NOT_FETCHED = /^Failed to fetch dynamically imported module: (\S+)$/;

/** Browsers used to keep a failed import for good, under its address (whatwg/html#6768). Another address is new to them. */
function loadByAnotherName<M>(error: unknown): Promise<M> {
  const address = NOT_FETCHED.exec(error instanceof Error ? error.message : "")?.[1];
  if (address === undefined) throw error;
  return import(`${address}?again`) as Promise<M>;
}

type PropsOf<C> = C extends (props: infer P extends object) => ReactNode ? P : never;

/** A component whose code is loaded when it is first shown. */
export const lazyPart = <M, N extends keyof M>(load: () => Promise<M>, name: N) =>
  lazy(async () => ({ default: (await loadPart(load))[name] as ComponentType<PropsOf<M[N]>> }));
