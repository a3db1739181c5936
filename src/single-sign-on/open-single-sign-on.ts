import type { SingleSignOnSettings } from "#config/single-sign-on.ts";
import type { SignInDeps } from "#sign-in/sign-in-deps.ts";
import { flowCookies } from "./flow-cookie.ts";
import { openProvider } from "./provider.ts";
import { type SingleSignOnService, singleSignOnService } from "./single-sign-on.service.ts";

interface Deps extends SignInDeps {
  readonly baseUrl: string;
  readonly secretKey: string;
  readonly onProblem: (message: string, error: unknown) => void;
}

/** Calls nobody before the first sign-in: Kurz starts and works while the provider is away. */
export function openSingleSignOn(settings: SingleSignOnSettings | null, deps: Deps): SingleSignOnService | null {
  if (settings === null) return null;
  const { baseUrl, secretKey, clock } = deps;
  return singleSignOnService({
    ...deps,
    settings,
    provider: openProvider({ settings, baseUrl, clock }),
    flows: flowCookies({ secretKey, https: baseUrl.startsWith("https:"), clock }),
  });
}
