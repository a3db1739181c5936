import { codeOf } from "#kernel/error-codes.ts";

/** Another user runs the server; commands need the same one. */
export function findAccessProblem(error: unknown): Error | undefined {
  const code = codeOf(error);
  if (code !== "EACCES" && code !== "EPERM") return undefined;
  return new Error(`can't connect to the running server (${code}); run this command as the user that runs the server`);
}
