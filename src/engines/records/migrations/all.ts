import { signIn } from "./0001-sign-in.ts";
import { links } from "./0002-links.ts";
import type { Migration } from "./migration.ts";

export const migrations: readonly Migration[] = [signIn, links];
