import { useSyncExternalStore } from "react";

/** A value that belongs to the whole page: anything may set it, and components follow it. */
export interface Store<T> {
  readonly get: () => T;
  readonly set: (value: T) => void;
  /** Runs the listener after every change, until the returned function is called. */
  readonly subscribe: (listener: () => void) => () => void;
  readonly use: () => T;
}

export function makeStore<T>(first: T): Store<T> {
  let current = first;
  const listeners = new Set<() => void>();
  const get = () => current;
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return {
    get,
    set(value) {
      if (Object.is(value, current)) return;
      current = value;
      for (const listener of listeners) listener();
    },
    subscribe,
    use: () => useSyncExternalStore(subscribe, get),
  };
}
