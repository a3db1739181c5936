import { useMutation } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { call } from "#console/api/call.ts";
import { Button } from "#console/ui/button.tsx";
import { problemOf } from "#console/ui/form-error.tsx";
import { toast } from "#console/ui/toast.tsx";
import { resetPassword } from "#contract/console/session.ts";
import { signInTexts as texts } from "#texts/sign-in.ts";
import { Gate } from "./gate.tsx";
import { NewPasswordField } from "./new-password-field.tsx";

export function ResetPage() {
  const { token } = useParams({ from: "/reset/$token" });
  const navigate = useNavigate();
  const [password, setPassword] = useState("");
  const reset = useMutation({
    mutationFn: () => call(resetPassword, { body: { token, password } }, null),
    async onSuccess() {
      toast(texts.passwordChanged);
      await navigate({ to: "/sign-in", replace: true });
    },
  });
  function submit(event: FormEvent): void {
    event.preventDefault();
    reset.mutate();
  }
  const { error } = reset;
  return (
    <Gate title={texts.resetTitle}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <NewPasswordField
          value={password}
          onChange={setPassword}
          error={problemOf(error, "password") ?? error?.message}
        />
        <Button type="submit" look="primary" busy={reset.isPending}>
          {texts.setPassword}
        </Button>
      </form>
    </Gate>
  );
}
