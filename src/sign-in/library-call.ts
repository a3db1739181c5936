import type { Requester } from "./requester.ts";

interface Answer<T> {
  readonly headers: Headers;
  readonly response: T;
}

/** The library refused the request, as opposed to failing. */
export interface Refusal {
  readonly status: number;
  readonly code: string;
}

/** Passes the library's cookies to the requester. Refusals are returned, other errors thrown. */
export async function callLibrary<T>(
  requester: Requester,
  call: Promise<Answer<T>>,
): Promise<{ readonly value: T } | { readonly refusal: Refusal }> {
  try {
    const { headers, response } = await call;
    requester.cookies.push(...headers.getSetCookie());
    return { value: response };
  } catch (error) {
    const refusal = toRefusal(error);
    if (!refusal) throw error;
    return { refusal };
  }
}

export function toRefusal(error: unknown): Refusal | null {
  if (!(error instanceof Error) || error.name !== "APIError") return null;
  const { statusCode, body } = error as Error & { statusCode?: number; body?: { code?: string } };
  const code = body?.code ?? "";
  // The library reports a forged registration as its own failure.
  const isRefusal = code === "FAILED_TO_VERIFY_REGISTRATION" || (statusCode ?? 500) < 500;
  return isRefusal ? { status: statusCode ?? 400, code } : null;
}
