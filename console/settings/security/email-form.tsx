import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useRefreshState, useWorkspace } from "#console/api/session.tsx";
import { Button } from "#console/ui/button.tsx";
import { TextField } from "#console/ui/field.tsx";
import { FormError, problemOf } from "#console/ui/form-error.tsx";
import { toast } from "#console/ui/toast.tsx";
import { changeEmail } from "#contract/console/user.ts";

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
      toast("E-mail address changed. All other sessions have ended.");
    },
  });
  function submit(event: FormEvent): void {
    event.preventDefault();
    change.mutate();
  }
  return (
    <form onSubmit={submit} className="mt-5 grid max-w-xl gap-3">
      <TextField
        label="New e-mail address"
        hint={
          state.sends_mail
            ? "We’ll send a link to the new address. Nothing changes until you open it."
            : "You’ll sign in with it from now on. This server sends no mail, so check the spelling."
        }
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
          Change e-mail address
        </Button>
        <FormError error={change.error} fields={["email"]} />
      </div>
      {sentTo !== null && (
        <p role="status" className="rounded-lg bg-sunken px-3 py-2 text-sm break-words">
          We sent a link to {sentTo}. Open it within one hour to confirm the address.
        </p>
      )}
    </form>
  );
}
