import { createHash } from "node:crypto";
import { randomBase62 } from "#kernel/base62.ts";

const SECRET_CHARACTERS = 32;
const ID_CHARACTERS = 32;

/** Anyone who has it can join, so it appears only in the link. */
export const newInvitationSecret = (): string => `inv_${randomBase62(SECRET_CHARACTERS)}`;

/** Identifies an invitation to those who manage it; nobody can join with it. */
export const invitationIdOf = (secret: string): string =>
  `inv_${createHash("sha256").update(secret).digest("hex").slice(0, ID_CHARACTERS)}`;
