import { useMutation } from "@tanstack/react-query";
import { LockKeyhole } from "lucide-react";
import { type FormEvent, useState } from "react";
import { Logo } from "#console/app/logo.tsx";
import { Button } from "#console/ui/button.tsx";
import { TextField } from "#console/ui/field.tsx";
import { usePageTitle } from "#console/ui/page-title.ts";
import { openShare } from "#contract/share-page.ts";
import { sharePageTexts as texts } from "#texts/share-page.ts";
import { askShare } from "./ask-share.ts";
import { keepAccess } from "./share-access.ts";

/** Before a report that has a password. */
export function PasswordForm({ token, onOpen }: { readonly token: string; readonly onOpen: () => void }) {
  usePageTitle(texts.locked);
  const [password, setPassword] = useState("");
  const attempt = useMutation({
    mutationFn: () => askShare(openShare, { params: { token }, body: { password } }),
    onSuccess({ access }) {
      keepAccess(access);
      onOpen();
    },
    onError: () => setPassword(""),
  });
  function submit(event: FormEvent): void {
    event.preventDefault();
    attempt.mutate();
  }
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center px-5 py-10">
      <div className="w-full max-w-sm">
        <Logo className="mx-auto mb-5 size-10" />
        <h1 className="mb-2 text-center text-2xl font-semibold">{texts.locked}</h1>
        <p className="mb-6 text-center text-balance text-soft">{texts.lockedNote}</p>
        <form onSubmit={submit} className="space-y-4 rounded-2xl border border-line bg-card p-6 shadow-card">
          <TextField
            label={texts.password}
            type="password"
            autoComplete="off"
            autoFocus
            required
            maxLength={128}
            value={password}
            onChange={(event) => setPassword(event.target.value)}
            error={attempt.error?.message}
          />
          <Button type="submit" look="primary" busy={attempt.isPending} className="w-full">
            {!attempt.isPending && <LockKeyhole className="size-4" aria-hidden />}
            {texts.open}
          </Button>
        </form>
      </div>
    </main>
  );
}
