import { useMutation } from "@tanstack/react-query";
import { useLocation } from "@tanstack/react-router";
import { Building2 } from "lucide-react";
import { call } from "#console/api/call.ts";
import { useConsoleState } from "#console/api/session.tsx";
import { Button } from "#console/ui/button.tsx";
import { startSingleSignOn } from "#contract/console/single-sign-on.ts";
import { ssoTexts as texts } from "#texts/sso.ts";

interface SsoButtonProps {
  /** Where it leads in the end, below /console; by default here. */
  readonly next?: string | undefined;
  /** Only asks the person who is signed in to prove who they are. */
  readonly confirms?: boolean;
  readonly look?: "plain" | "primary";
}

/** Leads to the operator's provider, and from there back; nothing if there is none. */
export function SsoButton({ next, confirms = false, look = "plain" }: SsoButtonProps) {
  const name = useConsoleState().data?.sso?.name;
  const { href } = useLocation();
  const goal = next ?? href;
  const attempt = useMutation({
    mutationFn: async () => {
      const body = { ...(/^\/(?:a|join)\//.test(goal) && { next: goal }), ...(confirms && { confirm: true }) };
      const { url } = await call(startSingleSignOn, { body }, null);
      window.location.assign(url);
      // Stays busy until the page is gone.
      await new Promise(() => {});
    },
  });
  if (name === undefined) return null;
  return (
    <>
      <Button look={look} onClick={() => attempt.mutate()} busy={attempt.isPending}>
        <Building2 className="size-4 shrink-0" aria-hidden />
        <span className="min-w-0 truncate">{confirms ? texts.confirmWith(name) : texts.signInWith(name)}</span>
      </Button>
      {attempt.error && (
        <p role="alert" className="text-sm text-bad">
          {attempt.error.message}
        </p>
      )}
    </>
  );
}
