import { useState } from "react";
import { useWorkspace } from "#console/api/session.tsx";
import { useChange } from "#console/api/use-change.ts";
import { SsoButton } from "#console/sign-in/sso-button.tsx";
import { Button } from "#console/ui/button.tsx";
import { ConfirmDialog } from "#console/ui/confirm-dialog.tsx";
import { Section } from "#console/ui/section.tsx";
import { requireSingleSignOn } from "#contract/console/single-sign-on.ts";
import { ssoTexts as texts } from "#texts/sso.ts";

/** Whether members must sign in with the operator's provider. */
export function SsoSection({ name, required }: { readonly name: string; readonly required: boolean }) {
  const { state, call } = useWorkspace();
  const [asking, setAsking] = useState(false);
  const change = useChange((next: boolean) => call(requireSingleSignOn, { body: { required: next } }), {
    refreshes: ["account"],
    inForm: true,
  });
  const isProven = state.session.signed_in_by === "sso";
  return (
    <>
      <Section
        title={texts.title}
        note={required ? texts.requiredNote(name) : texts.optionalNote(name)}
        action={
          isProven && <Button onClick={() => setAsking(true)}>{required ? texts.allowOthers : texts.require}</Button>
        }
      >
        {!isProven && (
          <>
            <p className="mb-3 text-sm text-soft">{texts.proveFirst(name)}</p>
            <SsoButton />
          </>
        )}
      </Section>
      {asking && (
        <ConfirmDialog
          title={required ? texts.askAllow : texts.askRequire(name)}
          confirmLabel={required ? texts.allowOthers : texts.require}
          look="primary"
          onConfirm={() => change.mutateAsync(!required)}
          onClose={() => setAsking(false)}
        >
          {required ? texts.askAllowNote : texts.askRequireNote(name)}
        </ConfirmDialog>
      )}
    </>
  );
}
