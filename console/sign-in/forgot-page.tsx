import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { call } from "#console/api/call.ts";
import { useConsoleState } from "#console/api/session.tsx";
import { Button, buttonClasses } from "#console/ui/button.tsx";
import { TextField } from "#console/ui/field.tsx";
import { Filled } from "#console/ui/filled.tsx";
import { forgetPassword } from "#contract/console/session.ts";
import { signInTexts as texts } from "#texts/sign-in.ts";
import { Gate } from "./gate.tsx";

export function ForgotPage() {
  const { data: state } = useConsoleState();
  const [email, setEmail] = useState("");
  const request = useMutation({ mutationFn: () => call(forgetPassword, { body: { email } }, null) });
  function submit(event: FormEvent): void {
    event.preventDefault();
    request.mutate();
  }
  const back = (
    <Link to="/sign-in" className={buttonClasses({ look: "quiet" })}>
      {texts.backToSignIn}
    </Link>
  );
  if (state && !state.sends_mail) {
    return (
      <Gate title={texts.forgotTitle}>
        <p className="mb-4 text-soft">{texts.noMail}</p>
        <p className="mb-4 text-sm text-soft">
          <Filled
            text={texts.noMailCommand}
            parts={{ command: <code className="font-mono">kurz users reset-link</code> }}
          />
        </p>
        {back}
      </Gate>
    );
  }
  if (request.isSuccess) {
    return (
      <Gate title={texts.checkMail}>
        <p className="mb-4 text-soft">{texts.checkMailNote}</p>
        {back}
      </Gate>
    );
  }
  return (
    <Gate title={texts.forgotTitle}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <TextField
          label={texts.email}
          type="email"
          autoComplete="username"
          required
          value={email}
          onChange={(event) => setEmail(event.target.value)}
          error={request.error?.message}
        />
        <Button type="submit" look="primary" busy={request.isPending}>
          {texts.sendLink}
        </Button>
        {back}
      </form>
    </Gate>
  );
}
