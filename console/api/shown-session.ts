import { useEffect, useRef } from "react";
import type { ConsoleState } from "#contract/console/session.ts";
import { askToSignIn, useSignInQuestion } from "./sign-in-again.ts";

type Session = NonNullable<ConsoleState["session"]>;

/** Whether something may have been typed that would be lost with the page. */
const hasOpenDialog = (): boolean => document.querySelector("dialog[open]") !== null;

/**
 * The session to show pages for. One that has ended stays while a dialog is open, over which the person is asked to sign
 * in again. Once they have signed out themselves the state is read again from nothing, and nothing stays.
 */
export function useShownSession(state: ConsoleState | undefined): Session | null {
  const last = useRef<Session | null>(null);
  const isAsked = useSignInQuestion() !== null;
  if (!state) last.current = null;
  else if (state.session || !(isAsked || hasOpenDialog())) last.current = state.session;
  const hasEnded = state?.session === null && last.current !== null;
  useEffect(() => {
    if (hasEnded) void askToSignIn();
  }, [hasEnded]);
  return last.current;
}
