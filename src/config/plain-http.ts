const OWN_MACHINE = /^(localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

export const isOwnMachine = (hostname: string): boolean => OWN_MACHINE.test(hostname);

/** Whether tokens and passwords would cross a network in clear. */
export function isExposedPlainHttp(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl);
  return protocol === "http:" && !isOwnMachine(hostname);
}
