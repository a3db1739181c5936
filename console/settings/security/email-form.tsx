import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useRefreshState, useWorkspace } from "#console/api/session.tsx";
import { Button } from "#console/ui/button.tsx";
import { TextField } from "#console/ui/field.tsx";
import { FormError, problemOf } from "#console/ui/form-error.tsx";
import { toast } from "#console/ui/toast.tsx";
import { changeEmail } from "#contract/console/user.ts";
import { securityTexts as texts } from "#texts/security.ts";

export function EmailForm() {
  const { state, call } = useWorkspace();
  const refresh = useRefreshState();
  const [email, setEmail] = useState("");
  const [sentTo, setSentTo] = useState<string | null>(null);
  const change = useMutation({
    mutationFn: () => call(changeEmail, { body: { email } }),
    async onSuccess({ confirmation_sent }) {
      setSentTo(confirmation_sent ? email : null);
      setEmail("");
      if (confirmation_sent) return;
      await refresh();
      toast(texts.emailChanged);
    },
  });
  function submit(event: FormEvent): void {
    event.preventDefault();
    change.mutate();
  }
  return (
    <form onSubmit={submit} className="mt-5 grid max-w-xl gap-3">
      <TextField
        label={texts.newEmail}
        hint={state.sends_mail ? texts.newEmailByMail : texts.newEmailAtOnce}
        type="email"
        autoComplete="off"
        required
        maxLength={254}
        value={email}
        onChange={(event) => setEmail(event.target.value)}
        error={problemOf(change.error, "email")}
      />
      <div>
        <Button type="submit" busy={change.isPending} disabled={email.trim() === ""}>
          {texts.changeEmail}
        </Button>
        <FormError error={change.error} fields={["email"]} />
      </div>
      {sentTo !== null && (
        <p role="status" className="rounded-lg bg-sunken px-3 py-2 text-sm break-words">
          {texts.emailSent(sentTo)}
        </p>
      )}
    </form>
  );
}
