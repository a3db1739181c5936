import { callLibrary } from "./library-call.ts";
import { type Requester, type SignedInRequester, withoutSession } from "./requester.ts";
import { deleteSession } from "./sessions.store.ts";
import type { SignInDeps } from "./sign-in-deps.ts";
import { takeStep } from "./two-factor-step.ts";

type CodeMethod = "code" | "backup_code";
type Used = { readonly token: string; readonly method: CodeMethod } | { readonly refused: "wrong" | "locked" };

/** The second step of signing in. The library recognises the user by a cookie from the first step. */
export async function spendCode(deps: SignInDeps, requester: Requester, code: string): Promise<Used> {
  const { api } = await deps.auth();
  const isAppCode = isTotp(code);
  // The cookies open the session, so they are kept back until we know that the code is unused.
  const cookies: string[] = [];
  const call = { body: { code }, headers: withoutSession(requester), returnHeaders: true } as const;
  const result = await callLibrary(
    { ...requester, cookies },
    isAppCode ? api.verifyTOTP(call) : api.verifyBackupCode({ ...call, body: { code: withHyphen(code) } }),
  );
  if ("refusal" in result) return { refused: result.refusal.status === 429 ? "locked" : "wrong" };
  const { token, user } = result.value;
  if (!token) throw new Error("the library opened no session");
  if (isAppCode && !(await takeStep(deps, user.id, code))) {
    await deps.records.write((tx) => deleteSession(tx, { token }));
    return { refused: "wrong" };
  }
  requester.cookies.push(...cookies);
  return { token, method: isAppCode ? "code" : "backup_code" };
}

/** For someone who is signed in. Returns `null` if the code is wrong or was used before. */
export async function spendOwnCode(
  deps: SignInDeps,
  requester: SignedInRequester,
  code: string,
): Promise<CodeMethod | null> {
  if (isTotp(code)) return (await takeStep(deps, requester.session.userId, code)) ? "code" : null;
  const { api } = await deps.auth();
  const { headers } = requester;
  const call = api.verifyBackupCode({ body: { code: withHyphen(code) }, headers, returnHeaders: true });
  const result = await callLibrary(requester, call);
  return "refusal" in result ? null : "backup_code";
}

const isTotp = (code: string): boolean => /^\d{6}$/.test(code);

/** People may leave out the hyphen in the middle. */
const withHyphen = (code: string): string => (/^\w{10}$/.test(code) ? `${code.slice(0, 5)}-${code.slice(5)}` : code);
