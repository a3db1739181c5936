import { createHash } from "node:crypto";
import { randomBase62 } from "#kernel/base62.ts";

const SECRET_CHARACTERS = 32;
const ID_CHARACTERS = 32;

/** Anyone who has it may join by the invitation, so it stands in the link only. */
export const newInvitationSecret = (): string => `inv_${randomBase62(SECRET_CHARACTERS)}`;

/** Names an invitation to those who manage it, and opens nothing. */
export const invitationIdOf = (secret: string): string =>
  `inv_${createHash("sha256").update(secret).digest("hex").slice(0, ID_CHARACTERS)}`;
