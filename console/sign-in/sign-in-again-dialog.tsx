import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { call } from "#console/api/call.ts";
import { useWorkspace } from "#console/api/session.tsx";
import { Button } from "#console/ui/button.tsx";
import { Dialog, DialogFooter } from "#console/ui/dialog.tsx";
import { TextField } from "#console/ui/field.tsx";
import { getState, signIn, signInWithCode } from "#contract/console/session.ts";
import { signInTexts as texts } from "#texts/sign-in.ts";
import { CodeField } from "./code-field.tsx";
import { PasskeyButton } from "./passkey-button.tsx";
import { SsoButton } from "./sso-button.tsx";

/** Over a page whose session has ended: the same person signs in again, and what they typed stays. */
export function SignInAgainDialog({ onSettle }: { readonly onSettle: (proven: boolean) => void }) {
  const { user } = useWorkspace().state.session;
  const client = useQueryClient();
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const [codeAsked, setCodeAsked] = useState(false);

  async function finish(): Promise<void> {
    const { session } = await call(getState, {}, null);
    // Someone else's passkey: nothing of the person before may stay on the page.
    if (session?.user.id !== user.id) return window.location.assign("/console/");
    onSettle(true);
    await client.invalidateQueries();
  }
  const attempt = useMutation({
    mutationFn: async () => {
      if (codeAsked) await call(signInWithCode, { body: { code: code.replace(/\s/g, "") } }, null);
      else if ((await call(signIn, { body: { email: user.email, password } }, null)).second_factor) {
        return setCodeAsked(true);
      }
      await finish();
    },
  });
  function submit(event: FormEvent): void {
    event.preventDefault();
    event.stopPropagation();
    attempt.mutate();
  }
  return (
    <Dialog title={texts.againTitle} open onClose={() => onSettle(false)} sticky>
      <form onSubmit={submit}>
        <p className="mb-4 text-soft">{texts.againNote}</p>
        {codeAsked ? (
          <CodeField key="code" value={code} onChange={setCode} error={attempt.error?.message} autoFocus />
        ) : (
          <div className="grid gap-4">
            <TextField label={texts.email} type="email" autoComplete="username" value={user.email} readOnly />
            <TextField
              key="password"
              label={texts.password}
              type="password"
              autoComplete="current-password"
              data-first
              required
              value={password}
              onChange={(event) => setPassword(event.target.value)}
              error={attempt.error?.message}
            />
          </div>
        )}
        <DialogFooter>
          {!codeAsked && (
            <div className="mr-auto flex flex-col gap-2">
              <PasskeyButton onDone={finish} />
              <SsoButton />
            </div>
          )}
          <Button onClick={() => onSettle(false)}>{texts.notNow}</Button>
          <Button type="submit" look="primary" busy={attempt.isPending}>
            {texts.signIn}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
