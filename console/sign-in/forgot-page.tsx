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
  if (request.isSuccess) {
    return (
      <Gate title="Look for a link">
        <p className="mb-4 text-soft">
          {state?.sends_mail
            ? "If this address is known, a link to set a new password is on its way to it. It works for one hour."
            : "This server sends no mail. If the address is known, its operator finds a link for you in the server's log."}
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
