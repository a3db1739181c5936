import type { ReactNode } from "react";
import { Logo } from "#console/app/logo.tsx";
import { usePageTitle } from "#console/ui/page-title.ts";

/** The frame of every page that stands before the account. */
export function Gate({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  usePageTitle(title);
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center px-5 py-10">
      <div className="w-full max-w-sm">
        <Logo className="mx-auto mb-6 size-11" />
        <h1 className="mb-6 text-center text-2xl font-semibold tracking-tight">{title}</h1>
        <div className="rounded-2xl border border-line bg-card p-6 shadow-card">{children}</div>
      </div>
    </main>
  );
}
