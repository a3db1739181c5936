import { z } from "zod";

/** Why someone can't come in with the operator's provider. */
export const SsoRefusal = z.enum([
  /** They, or the provider, have cancelled it. */
  "cancelled",
  /** This browser hasn't started it, or too long ago. */
  "expired",
  /** The provider's answer isn't valid. */
  "provider_error",
  "no_email",
  "email_unverified",
  "domain",
  /** They have opened no invitation, and there is no account for newcomers. */
  "not_invited",
  /** None of the provider's groups gives a role. */
  "no_role",
  /** A user with this address belongs to another person at the provider. */
  "address_taken",
  /** Someone else has re-authenticated. */
  "other_person",
  /** The provider hasn't asked them to sign in again. */
  "not_reauthenticated",
]);
export type SsoRefusal = z.output<typeof SsoRefusal>;
