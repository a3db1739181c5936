import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { call } from "#console/api/call.ts";
import { Button } from "#console/ui/button.tsx";
import { signInWithCode } from "#contract/console/session.ts";
import { signInTexts as texts } from "#texts/sign-in.ts";
import { CodeField } from "./code-field.tsx";
import { Gate } from "./gate.tsx";

interface CodeFormProps {
  readonly onDone: () => Promise<void>;
  readonly onBack: () => void;
}

/** The second step for those who use an authenticator app. */
export function CodeForm({ onDone, onBack }: CodeFormProps) {
  const [code, setCode] = useState("");
  const attempt = useMutation({
    mutationFn: () => call(signInWithCode, { body: { code: code.replace(/\s/g, "") } }, null),
    onSuccess: onDone,
  });
  function submit(event: FormEvent): void {
    event.preventDefault();
    attempt.mutate();
  }
  return (
    <Gate title={texts.codeTitle}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <CodeField value={code} onChange={setCode} error={attempt.error?.message} autoFocus />
        <Button type="submit" look="primary" busy={attempt.isPending}>
          {texts.continue}
        </Button>
        <Button look="quiet" onClick={onBack}>
          {texts.back}
        </Button>
      </form>
    </Gate>
  );
}
