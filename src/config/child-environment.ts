/** The environment of a process that this one starts: its own, and more. */
export const childEnvironment = (more: Readonly<Record<string, string>> = {}): Record<string, string | undefined> => ({
  ...process.env,
  ...more,
});
