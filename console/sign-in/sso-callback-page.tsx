import { useMutation } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { call } from "#console/api/call.ts";
import { useRefreshState } from "#console/api/session.tsx";
import { buttonClasses } from "#console/ui/button.tsx";
import { finishSingleSignOn } from "#contract/console/single-sign-on.ts";
import { ssoTexts as texts } from "#texts/sso.ts";
import { Gate } from "./gate.tsx";

/** Where the provider leads back to. The page sends its answer, so that it counts only in this browser. */
export function SsoCallbackPage() {
  const answer = useSearch({ from: "/sso/callback" });
  const refresh = useRefreshState();
  const navigate = useNavigate();
  const finish = useMutation({
    mutationFn: () => call(finishSingleSignOn, { body: { ...answer, state: answer.state ?? "-" } }, null),
    async onSuccess({ next }) {
      await refresh();
      await navigate({ href: `/console${next ?? "/"}`, replace: true });
    },
  });
  const { mutate } = finish;
  // An answer is good for one try.
  const isSent = useRef(false);
  useEffect(() => {
    if (isSent.current) return;
    isSent.current = true;
    mutate();
  }, [mutate]);
  if (!finish.error) {
    return (
      <Gate title={texts.signingIn}>
        <p role="status" className="text-center text-soft">
          {texts.oneMoment}
        </p>
      </Gate>
    );
  }
  return (
    <Gate title={texts.notSignedIn}>
      <p role="alert" className="mb-6 text-soft">
        {finish.error.message}
      </p>
      <div className="grid gap-3">
        <Link to="/" className={buttonClasses({ look: "primary" })}>
          {texts.back}
        </Link>
      </div>
    </Gate>
  );
}
