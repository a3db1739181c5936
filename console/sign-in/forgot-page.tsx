import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { call } from "#console/api/call.ts";
import { useConsoleState } from "#console/api/session.tsx";
import { Button, buttonClasses } from "#console/ui/button.tsx";
import { TextField } from "#console/ui/field.tsx";
import { forgetPassword } from "#contract/console/session.ts";
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
      Back to sign in
    </Link>
  );
  if (state && !state.sends_mail) {
    return (
      <Gate title="Forgot your password?">
        <p className="mb-4 text-soft">
          This server doesn’t send mail. Ask your administrator for a link to set a new password.
        </p>
        <p className="mb-4 text-sm text-soft">
          Administrators create it with <code className="font-mono">kurz users reset-link</code> and your e-mail
          address.
        </p>
        {back}
      </Gate>
    );
  }
  if (request.isSuccess) {
    return (
      <Gate title="Check your mail">
        <p className="mb-4 text-soft">
          If this address is registered, a link to set a new password is on its way to it. It works for one hour.
        </p>
        {back}
      </Gate>
    );
  }
  return (
    <Gate title="Forgot your password?">
      <form onSubmit={submit} className="flex flex-col gap-4">
        <TextField
          label="E-mail address"
          type="email"
          autoComplete="username"
          required
          value={email}
          onChange={(event) => setEmail(event.target.value)}
          error={request.error?.message}
        />
        <Button type="submit" look="primary" busy={request.isPending}>
          Send me a link
        </Button>
        {back}
      </form>
    </Gate>
  );
}
