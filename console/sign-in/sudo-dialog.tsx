import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { call } from "#console/api/call.ts";
import { useConsoleState, useRefreshState } from "#console/api/session.tsx";
import { Button } from "#console/ui/button.tsx";
import { Dialog, DialogFooter } from "#console/ui/dialog.tsx";
import { TextField } from "#console/ui/field.tsx";
import { problemOf } from "#console/ui/form-error.tsx";
import { confirmPassword } from "#contract/console/session.ts";
import { signInTexts as texts } from "#texts/sign-in.ts";
import { ssoTexts } from "#texts/sso.ts";
import { uiTexts } from "#texts/ui.ts";
import { CodeField } from "./code-field.tsx";
import { OrLine } from "./or-line.tsx";
import { PasskeyButton } from "./passkey-button.tsx";
import { SsoButton } from "./sso-button.tsx";

/** Asks for the password (with a code, if they use an authenticator app) or a passkey before something dangerous. */
export function SudoDialog({ onSettle }: { readonly onSettle: (proven: boolean) => void }) {
  const { data: state } = useConsoleState();
  const refresh = useRefreshState();
  const [password, setPassword] = useState(state?.demo?.password ?? "");
  const [code, setCode] = useState("");
  const needsCode = state?.session?.user.two_factor_enabled === true;
  const provider = state?.session?.signed_in_by === "sso" ? state.sso?.name : undefined;
  const hasPassword = state?.session?.has_password !== false || provider === undefined;
  async function finish(): Promise<void> {
    onSettle(true);
    await refresh();
  }
  const attempt = useMutation({
    mutationFn: () =>
      call(confirmPassword, { body: { password, ...(needsCode && { code: code.replace(/\s/g, "") }) } }, null),
    onSuccess: finish,
    // The authenticator app may have been set up in another tab since the state was loaded.
    onError: (error) => (problemOf(error, "code") === undefined ? undefined : refresh()),
  });
  function submit(event: FormEvent): void {
    event.preventDefault();
    // A dialog stands in the place of the page that opened it, whose form must not be sent as well.
    event.stopPropagation();
    attempt.mutate();
  }
  return (
    <Dialog title={texts.sudoTitle} open onClose={() => onSettle(false)}>
      <form onSubmit={submit}>
        <p className="mb-4 text-soft">{provider === undefined ? texts.sudoNote : ssoTexts.sudoNote(provider)}</p>
        {provider !== undefined && (
          <div className="grid gap-3">
            <SsoButton confirms look={hasPassword ? "plain" : "primary"} />
          </div>
        )}
        {provider !== undefined && hasPassword && <OrLine />}
        {/* Password managers look for the name beside the password. */}
        {hasPassword && (
          <input type="email" autoComplete="username" value={state?.session?.user.email ?? ""} readOnly hidden />
        )}
        {hasPassword && (
          <TextField
            label={texts.yourPassword}
            type="password"
            autoComplete="current-password"
            data-first
            required
            hint={state?.demo && texts.demoPassword}
            value={password}
            onChange={(event) => setPassword(event.target.value)}
            error={needsCode ? undefined : attempt.error?.message}
          />
        )}
        {hasPassword && needsCode && (
          <div className="mt-4">
            <CodeField value={code} onChange={setCode} error={attempt.error?.message} />
          </div>
        )}
        <DialogFooter>
          <div className="mr-auto flex flex-col gap-2">
            <PasskeyButton onDone={finish} />
          </div>
          <Button onClick={() => onSettle(false)}>{uiTexts.cancel}</Button>
          {hasPassword && (
            <Button type="submit" look="primary" busy={attempt.isPending}>
              {uiTexts.confirm}
            </Button>
          )}
        </DialogFooter>
      </form>
    </Dialog>
  );
}
