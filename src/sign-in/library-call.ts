import type { Requester } from "./requester.ts";

interface Answer<T> {
  readonly headers: Headers;
  readonly response: T;
}

/** The library's refusal of what it was asked, as opposed to a failure. */
export interface Refusal {
  readonly status: number;
  readonly code: string;
}

/** Calls the library; its cookies go to the requester. What it refuses is returned, everything else is thrown. */
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
  // What a client made up is refused by the library as its own failure.
  const isRefusal = code === "FAILED_TO_VERIFY_REGISTRATION" || (statusCode ?? 500) < 500;
  return isRefusal ? { status: statusCode ?? 400, code } : null;
}
