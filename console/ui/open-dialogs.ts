import { makeStore } from "./store.ts";

/** The modal dialogs that are open, the topmost last. All that is outside of that one can neither be pressed nor read. */
const open = makeStore<readonly HTMLElement[]>([]);

/** To be called when one opens; what it returns, when that one closes. */
export function addOpenDialog(dialog: HTMLElement): () => void {
  open.set([...open.get(), dialog]);
  return () => open.set(open.get().filter((other) => other !== dialog));
}

export const useTopDialog = (): HTMLElement | undefined => open.use().at(-1);
