import type { ReactNode } from "react";
import { useConsoleState } from "#console/api/session.tsx";
import { Logo } from "#console/app/logo.tsx";
import { usePageTitle } from "#console/ui/page-title.ts";
import { gateTexts as texts } from "#texts/gate.ts";
import { LanguageChooser } from "./language-chooser.tsx";
import { WrongAddress } from "./wrong-address.tsx";

/** The frame of every page that stands before the account. */
export function Gate({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  usePageTitle(title);
  const expected = useConsoleState().data?.base_url;
  // Over https and on this machine browsers say themselves that a request is the page's own, and the server believes it.
  const isElsewhere = expected !== undefined && expected !== window.location.origin && !window.isSecureContext;
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center px-5 py-10">
      <div className="w-full max-w-sm">
        <Logo className="mx-auto mb-5 size-10" />
        <h1 className="mb-6 text-center text-2xl font-semibold">{isElsewhere ? texts.wrongAddress : title}</h1>
        <div className="rounded-2xl border border-line bg-card p-6 shadow-card">
          {isElsewhere ? <WrongAddress expected={expected} /> : children}
        </div>
        <LanguageChooser />
      </div>
    </main>
  );
}
