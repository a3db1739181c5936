/** Read by one command each: they configure nothing, and the server ignores them. */
export const IMPORT_TOKEN_VARIABLE = "KURZ_IMPORT_TOKEN";

export const commandVariables: readonly string[] = [IMPORT_TOKEN_VARIABLE];
