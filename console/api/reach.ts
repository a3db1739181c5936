import { makeStore } from "#console/ui/store.ts";

/** Whether the server answered when it was asked last. */
export const isReachable = makeStore(true);
