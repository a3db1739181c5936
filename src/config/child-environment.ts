/** The environment of a child process: this process's own, and more. */
export const childEnvironment = (more: Readonly<Record<string, string>> = {}): Record<string, string | undefined> => ({
  ...process.env,
  ...more,
});

/** The value of a variable that is only for this process: those it starts don't get it. */
export function takeVariable(name: string): string | undefined {
  const value = process.env[name];
  delete process.env[name];
  return value;
}
