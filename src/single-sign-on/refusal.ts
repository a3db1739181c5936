import type { SsoRefusal } from "#contract/console/sso-refusal.ts";
import { ApiError } from "#kernel/api-error.ts";

type Texts = Readonly<Record<SsoRefusal, (name: string) => string>>;

/** What happened, and what to do about it; the console has its own words in other languages. */
const texts: Texts = {
  cancelled: (name) => `You weren't signed in with ${name}: it was cancelled there.`,
  expired: (name) => `This took too long, or was started in another browser or tab. Sign in with ${name} again.`,
  provider_error: (name) => `The answer from ${name} isn't valid. Try again, or ask your administrator.`,
  no_email: (name) => `${name} sent no e-mail address. Ask your administrator.`,
  email_unverified: (name) => `${name} hasn't verified your e-mail address. Verify it there, then sign in again.`,
  domain: (name) => `Your e-mail address at ${name} isn't from a domain that may sign in here.`,
  not_invited: () =>
    "You need an invitation. Open the link in yours, then sign in from there. If you have none, ask a colleague.",
  no_role: (name) => `None of your groups at ${name} has access. Ask your administrator.`,
  address_taken: (name) =>
    `A user with your e-mail address belongs to another person at ${name}. Ask your administrator.`,
  other_person: (name) => `You signed in as someone else at ${name}. Sign in there as the person you are here.`,
  not_reauthenticated: (name) => `${name} didn't ask you to sign in again. Use your password or a passkey instead.`,
};

export const refuse = (reason: SsoRefusal, name: string): ApiError<"sso_refused"> =>
  new ApiError("sso_refused", texts[reason](name), { reason, provider: name });

export const providerAway = (name: string): ApiError<"sso_unavailable"> =>
  new ApiError("sso_unavailable", `${name} can't be reached at the moment. Try again shortly.`, { provider: name });
