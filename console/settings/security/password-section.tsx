import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useRefreshState, useWorkspace } from "#console/api/session.tsx";
import { NewPasswordField } from "#console/sign-in/new-password-field.tsx";
import { Button } from "#console/ui/button.tsx";
import { TextField } from "#console/ui/field.tsx";
import { FormError, problemOf } from "#console/ui/form-error.tsx";
import { Section } from "#console/ui/section.tsx";
import { toast } from "#console/ui/toast.tsx";
import { changePassword } from "#contract/console/user.ts";
import { securityTexts as texts } from "#texts/security.ts";

export function PasswordSection() {
  const { state, call } = useWorkspace();
  const refresh = useRefreshState();
  const [current, setCurrent] = useState("");
  const [password, setPassword] = useState("");
  const change = useMutation({
    mutationFn: () => call(changePassword, { body: { current, password } }),
    async onSuccess() {
      setCurrent("");
      setPassword("");
      await refresh();
      toast(texts.passwordChanged);
    },
  });
  function submit(event: FormEvent): void {
    event.preventDefault();
    change.mutate();
  }
  return (
    <Section title={texts.password} note={texts.passwordNote}>
      <form onSubmit={submit} className="grid max-w-xl gap-4">
        {/* Password managers look for the name beside the password. */}
        <input type="email" autoComplete="username" value={state.session.user.email} readOnly hidden />
        <TextField
          label={texts.currentPassword}
          type="password"
          autoComplete="current-password"
          required
          value={current}
          onChange={(event) => setCurrent(event.target.value)}
          error={problemOf(change.error, "current")}
        />
        <NewPasswordField value={password} onChange={setPassword} error={problemOf(change.error, "password")} />
        <div>
          <Button type="submit" busy={change.isPending}>
            {texts.changePassword}
          </Button>
          <FormError error={change.error} fields={["current", "password"]} />
        </div>
      </form>
    </Section>
  );
}
