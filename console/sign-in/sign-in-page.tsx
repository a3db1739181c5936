import { useMutation } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { call } from "#console/api/call.ts";
import { useConsoleState, useRefreshState } from "#console/api/session.tsx";
import { Redirect } from "#console/app/redirect.tsx";
import { DemoGate } from "#console/demo/demo-gate.tsx";
import { Button } from "#console/ui/button.tsx";
import { TextField } from "#console/ui/field.tsx";
import { Filled } from "#console/ui/filled.tsx";
import { signIn } from "#contract/console/session.ts";
import { signInTexts as texts } from "#texts/sign-in.ts";
import { CodeForm } from "./code-form.tsx";
import { Gate } from "./gate.tsx";
import { OrLine } from "./or-line.tsx";
import { PasskeyButton } from "./passkey-button.tsx";
import { SsoButton } from "./sso-button.tsx";

export function SignInPage() {
  const { next } = useSearch({ from: "/sign-in" });
  const { data: state } = useConsoleState();
  const refresh = useRefreshState();
  const navigate = useNavigate();
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [codeAsked, setCodeAsked] = useState(false);
  const [isEntering, setEntering] = useState(false);

  async function enter(): Promise<void> {
    // Otherwise the session that is there now would lead elsewhere.
    setEntering(true);
    await refresh();
    await navigate({ href: `/console${next ?? "/"}`, replace: true });
  }
  const attempt = useMutation({
    mutationFn: () => call(signIn, { body: { email, password } }, null),
    onSuccess: ({ second_factor }) => (second_factor ? setCodeAsked(true) : enter()),
  });
  if (state?.setup_required) return <Redirect to="/setup" />;
  if (state?.session && !isEntering) return <Redirect to="/" />;
  if (state?.demo) return <DemoGate demo={state.demo} onEnter={enter} />;
  if (codeAsked) return <CodeForm onDone={enter} onBack={() => setCodeAsked(false)} />;

  function submit(event: FormEvent): void {
    event.preventDefault();
    attempt.mutate();
  }
  return (
    <Gate title={texts.signIn}>
      {state?.sso && (
        <>
          <div className="grid gap-3">
            <SsoButton next={next} />
          </div>
          <OrLine />
        </>
      )}
      <form onSubmit={submit} className="flex flex-col gap-4">
        <TextField
          label={texts.email}
          type="email"
          autoComplete="username webauthn"
          required
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        <TextField
          label={texts.password}
          type="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={(event) => setPassword(event.target.value)}
          error={attempt.error?.message}
          aside={
            <Link to="/forgot" className="text-accent hover:underline">
              {texts.forgotLink}
            </Link>
          }
        />
        <Button type="submit" look="primary" busy={attempt.isPending}>
          {texts.signIn}
        </Button>
        <PasskeyButton onDone={enter} />
      </form>
      {state?.signup === "open" && (
        <p className="mt-5 text-center text-sm text-soft">
          <Filled
            text={texts.newHere}
            parts={{
              link: (
                <Link to="/sign-up" className="text-accent hover:underline">
                  {texts.createAnAccount}
                </Link>
              ),
            }}
          />
        </p>
      )}
    </Gate>
  );
}
