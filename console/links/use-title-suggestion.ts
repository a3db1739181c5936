import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { call } from "#console/api/call.ts";
import { useWorkspace } from "#console/api/session.tsx";
import { suggestTitle } from "#contract/console/pages.ts";
import { finalAddress } from "./link-form-values.ts";
import type { LinkFormState } from "./use-link-form.ts";
import { withScheme } from "./with-scheme.ts";

interface Lookup {
  readonly url: string;
  readonly controller: AbortController;
}

/** Fills in the title of a new link from its page, unless the person has written one. Nothing ever waits for it. */
export function useTitleSuggestion({ base, values, ownHosts, suggestTitle: fill }: LinkFormState) {
  const { account, state } = useWorkspace();
  const [suggested, setSuggested] = useState<string | null>(null);
  const [isLooking, setIsLooking] = useState(false);
  const last = useRef<Lookup | null>(null);
  const title = useRef(values.title);
  title.current = values.title;
  const isSuggested = suggested !== null && values.title === suggested;

  /** Once the address is complete: it has been pasted, or its field left. */
  function look(text: string): void {
    const url = withScheme(text);
    if (base || !state.page_lookups || last.current?.url === url) return;
    if (finalAddress({ ...values, destination_url: url }, ownHosts) === null) return;
    last.current?.controller.abort();
    // What another page is called is no title for this one.
    if (isSuggested) fill("");
    else if (values.title !== "") return;
    const controller = new AbortController();
    last.current = { url, controller };
    setIsLooking(true);
    const { signal } = controller;
    call(suggestTitle, { body: { destination_url: url }, signal }, account.id)
      .then(({ title }) => title, noTitle)
      .then((found) => {
        if (signal.aborted) return;
        setIsLooking(false);
        if (found === null || title.current !== "") return;
        setSuggested(found);
        fill(found);
      });
  }

  const [first] = useState(() => look);
  const start = useRef(values.destination_url);
  useEffect(() => {
    if (start.current !== "") first(start.current);
    return () => {
      last.current?.controller.abort();
      last.current = null;
    };
  }, [first]);

  const field = useRef<HTMLInputElement>(null);
  // Anyone about to type one replaces it.
  useLayoutEffect(() => {
    if (isSuggested && field.current === document.activeElement) field.current?.select();
  }, [isSuggested]);

  function clear(): void {
    fill("");
    field.current?.focus();
  }

  return { field, look, isLooking: isLooking && values.title === "", isSuggested, clear };
}

/** It is only a suggestion: who gets none writes one. */
const noTitle = (): null => null;
