export const IMPORT_TOKEN_VARIABLE = "KURZ_IMPORT_TOKEN";

/** Of the users' command line, which may be on the same machine. */
const CLIENT_VARIABLES = ["KURZ_URL", "KURZ_TOKEN", "KURZ_PROFILE"];

/** Read by commands: they configure nothing, and the server ignores them. */
export const commandVariables: readonly string[] = [IMPORT_TOKEN_VARIABLE, ...CLIENT_VARIABLES];
