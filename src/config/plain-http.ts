const LOOPBACK_HOST = /^(localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

export const isLoopbackHost = (hostname: string): boolean => LOOPBACK_HOST.test(hostname);

/** Whether tokens and passwords would cross a network unencrypted. */
export function isExposedPlainHttp(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl);
  return protocol === "http:" && !isLoopbackHost(hostname);
}
