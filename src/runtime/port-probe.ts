const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: "the port is in use",
  EADDRNOTAVAIL: "this machine does not have the address",
  EACCES: "the port needs more rights (ports below 1024 are for root)",
  EINVAL: "the address is not known",
};

/** Binds without SO_REUSEPORT, which would let a second server share the port without a word. */
export function probePort(hostname: string, port: number): void {
  try {
    Bun.listen({ hostname, port, exclusive: true, socket: { data() {} } }).stop(true);
  } catch (error) {
    const { message } = toListenError(error, hostname, port);
    throw new Error(`${message}; KURZ_HOST and KURZ_PORT set another address`, { cause: error });
  }
}

/** What the operator can do something with. */
export function toListenError(error: unknown, hostname: string, port: number): Error {
  const { code } = error as { code?: string };
  const reason = code === undefined ? "the address is not known" : (REASONS[code] ?? code);
  const host = hostname.includes(":") ? `[${hostname}]` : hostname;
  return new Error(`cannot listen on ${host}:${port}: ${reason}`, { cause: error });
}
