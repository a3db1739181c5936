import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { CallError } from "#console/api/call.ts";
import { Logo } from "#console/app/logo.tsx";
import { Failure } from "#console/ui/failure.tsx";
import { usePageTitle } from "#console/ui/page-title.ts";
import { getSharedLink } from "#contract/share-page.ts";
import { sharePageTexts as texts } from "#texts/share-page.ts";
import { askShare } from "./ask-share.ts";
import { PasswordForm } from "./password-form.tsx";
import { SharedReport } from "./shared-report.tsx";

export const shareKey = ["share"] as const;

/** How often to find out whether the report still exists. */
const CHECK_MS = 60_000;

/** The report behind an address, its password, or why there is none. */
export function SharePage({ token }: { readonly token: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: [...shareKey, token],
    queryFn: ({ signal }) => askShare(getSharedLink, { params: { token }, signal }),
    refetchInterval: CHECK_MS,
  });
  if (error instanceof CallError && error.status === 404) return <Gone />;
  if (error instanceof CallError && error.code === "share_locked") {
    return <PasswordForm token={token} onOpen={() => void refetch()} />;
  }
  if (data) return <SharedReport token={token} link={data} />;
  if (!error) return null;
  return (
    <Middle>
      <h1 className="sr-only">{texts.badge}</h1>
      <Failure error={error} onRetry={() => void refetch()} />
    </Middle>
  );
}

function Gone() {
  usePageTitle(texts.gone);
  return (
    <Middle>
      <Logo className="mb-5 size-10" />
      <h1 className="text-center text-2xl font-semibold">{texts.gone}</h1>
      <p className="mt-2 max-w-md text-center text-balance text-soft">{texts.goneNote}</p>
    </Middle>
  );
}

const Middle = ({ children }: { readonly children: ReactNode }) => (
  <main className="flex min-h-dvh flex-col items-center justify-center px-5">{children}</main>
);
