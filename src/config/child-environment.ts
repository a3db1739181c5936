/** The environment of a child process: this process's own, and more. */
export const childEnvironment = (more: Readonly<Record<string, string>> = {}): Record<string, string | undefined> => ({
  ...process.env,
  ...more,
});
