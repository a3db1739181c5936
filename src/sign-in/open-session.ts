import { callLibrary } from "./library-call.ts";
import { type Requester, withoutSession } from "./requester.ts";
import type { SignInDeps } from "./sign-in-deps.ts";

/** For someone whom Kurz has identified without the library. Returns the id; `completeSession` does the rest. */
export async function openSession(
  { auth }: Pick<SignInDeps, "auth">,
  requester: Requester,
  userId: string,
): Promise<string> {
  const { api } = await auth();
  const headers = withoutSession(requester);
  const opened = await callLibrary(requester, api.openSession({ body: { userId }, headers, returnHeaders: true }));
  if ("refusal" in opened) throw new Error("the library opened no session");
  return opened.value.id;
}
