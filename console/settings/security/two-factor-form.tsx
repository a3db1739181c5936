import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useWorkspace } from "#console/api/session.tsx";
import { Button } from "#console/ui/button.tsx";
import { DialogFooter } from "#console/ui/dialog.tsx";
import { TextField } from "#console/ui/field.tsx";
import { FormError, problemOf } from "#console/ui/form-error.tsx";
import { SecretBox } from "#console/ui/secret-box.tsx";
import { confirmTwoFactor } from "#contract/console/user.ts";
import { securityTexts as texts } from "#texts/security.ts";
import { QrImage } from "./qr-image.tsx";

interface TwoFactorFormProps {
  readonly uri: string;
  readonly secret: string;
  readonly onConfirmed: () => void;
  readonly onClose: () => void;
}

export function TwoFactorForm({ uri, secret, onConfirmed, onClose }: TwoFactorFormProps) {
  const { call } = useWorkspace();
  const [code, setCode] = useState("");
  const confirmation = useMutation({
    mutationFn: () => call(confirmTwoFactor, { body: { code: code.replace(/\s/g, "") } }),
    onSuccess: onConfirmed,
  });
  function submit(event: FormEvent): void {
    event.preventDefault();
    confirmation.mutate();
  }
  return (
    <form onSubmit={submit} className="grid grid-cols-1 gap-5">
      <p className="text-soft">{texts.scan}</p>
      <QrImage text={uri} label={texts.scanLabel} />
      <SecretBox label={texts.keyByHand} what={texts.key} value={secret} />
      <TextField
        label={texts.code}
        inputMode="numeric"
        autoComplete="one-time-code"
        autoFocus
        required
        minLength={6}
        maxLength={10}
        value={code}
        onChange={(event) => setCode(event.target.value)}
        error={problemOf(confirmation.error, "code")}
      />
      <div>
        <FormError error={confirmation.error} fields={["code"]} />
        <DialogFooter>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button type="submit" look="primary" busy={confirmation.isPending}>
            {texts.switchOn}
          </Button>
        </DialogFooter>
      </div>
    </form>
  );
}
