import { browserSupportsWebAuthn, startAuthentication } from "@simplewebauthn/browser";
import { useMutation } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { call } from "#console/api/call.ts";
import { Button } from "#console/ui/button.tsx";
import { signInWithPasskey, startPasskeySignIn } from "#contract/console/session.ts";
import { signInTexts as texts } from "#texts/sign-in.ts";

type Options = Parameters<typeof startAuthentication>[0]["optionsJSON"];

/** Signs in, or confirms that it is still the same person, with a passkey. */
async function proveByPasskey(): Promise<void> {
  const options = await call(startPasskeySignIn, {}, null);
  // The library on the server made them for the one in the browser.
  const response = await startAuthentication({ optionsJSON: options as unknown as Options });
  await call(signInWithPasskey, { body: { response: { ...response } } }, null);
}

export function PasskeyButton({ onDone }: { readonly onDone: () => Promise<void> }) {
  const attempt = useMutation({ mutationFn: proveByPasskey, onSuccess: onDone });
  if (!browserSupportsWebAuthn()) return null;
  return (
    <>
      <Button onClick={() => attempt.mutate()} busy={attempt.isPending}>
        <KeyRound className="size-4" aria-hidden />
        {texts.passkey}
      </Button>
      {attempt.error && (
        <p role="alert" className="text-sm text-bad">
          {attempt.error.name === "NotAllowedError" ? texts.noPasskey : attempt.error.message}
        </p>
      )}
    </>
  );
}
