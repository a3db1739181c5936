import type { KurzServer } from "./kurz-server.ts";

export interface VisitOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Visit {
  readonly status: number;
  readonly headers: Headers;
  readonly location: string | null;
  readonly text: string;
}

/** Visits a path of the short domain as a browser would, without following redirects. */
export async function visit(server: KurzServer, path: string, options: VisitOptions = {}): Promise<Visit> {
  const response = await fetch(server.url + path, { ...options, redirect: "manual" });
  const { status, headers } = response;
  return { status, headers, location: headers.get("Location"), text: await response.text() };
}
