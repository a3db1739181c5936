import { Suspense } from "react";
import { lazyPart } from "#console/api/load-part.ts";
import { useSignInQuestion } from "#console/api/sign-in-again.ts";

const SignInAgainDialog = lazyPart(() => import("./sign-in-again-dialog.tsx"), "SignInAgainDialog");

/** On every page of an account; shows itself when the session has ended in the middle of something. */
export function SignInAgainPrompt() {
  const settle = useSignInQuestion();
  return <Suspense>{settle && <SignInAgainDialog onSettle={settle} />}</Suspense>;
}
