import { startRegistration } from "@simplewebauthn/browser";
import { type FormEvent, useState } from "react";
import { CallError } from "#console/api/call.ts";
import { useWorkspace } from "#console/api/session.tsx";
import { useChange } from "#console/api/use-change.ts";
import { Button } from "#console/ui/button.tsx";
import { Dialog, DialogFooter } from "#console/ui/dialog.tsx";
import { TextField } from "#console/ui/field.tsx";
import { FormError, problemOf } from "#console/ui/form-error.tsx";
import { addPasskey, type Passkey, renamePasskey, startPasskey } from "#contract/console/user.ts";
import { securityTexts as texts } from "#texts/security.ts";

type Options = Parameters<typeof startRegistration>[0]["optionsJSON"];

interface PasskeyDialogProps {
  /** `null` adds one. */
  readonly passkey: Passkey | null;
  readonly onClose: () => void;
}

export function PasskeyDialog({ passkey, onClose }: PasskeyDialogProps) {
  const { call } = useWorkspace();
  const [name, setName] = useState(passkey?.name ?? "");
  const saving = useChange(
    async () => {
      if (passkey) return call(renamePasskey, { params: { id: passkey.id }, body: { name } });
      const options = await call(startPasskey);
      // The library on the server made them for the one in the browser.
      const response = await startRegistration({ optionsJSON: options as unknown as Options });
      return call(addPasskey, { body: { name, response: { ...response } } });
    },
    { refreshes: ["passkeys", "sessions"], onDone: onClose, inForm: true },
  );
  function submit(event: FormEvent): void {
    event.preventDefault();
    saving.mutate();
  }
  return (
    <Dialog title={passkey ? texts.renamePasskeyTitle : texts.addPasskeyTitle} open onClose={onClose}>
      <form onSubmit={submit}>
        <TextField
          label={texts.passkeyName}
          hint={texts.passkeyNameHint}
          autoComplete="off"
          data-first
          required
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.target.value)}
          error={problemOf(saving.error, "name")}
        />
        <FormError error={saving.error && explain(saving.error)} fields={["name"]} />
        <DialogFooter>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button type="submit" look="primary" busy={saving.isPending}>
            {passkey ? texts.save : texts.continue}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}

/** What browsers say is not meant for people. */
function explain(error: Error): Error {
  if (error instanceof CallError) return error;
  const isKnown = error.name === "InvalidStateError";
  return new Error(isKnown ? texts.passkeyKnown : texts.passkeyFailed);
}
