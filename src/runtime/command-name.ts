const INSTALLED_IN = "/usr/local/bin:/usr/bin";

/** How an operator runs commands: by name where the program is installed for everyone, otherwise through npm. */
export const commandName = (): string =>
  Bun.which("kurz", { PATH: INSTALLED_IN }) === null ? "npm run -s kurz --" : "kurz";
