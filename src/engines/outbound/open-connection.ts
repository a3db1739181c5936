import type { LookupAddress } from "node:dns";
import { connect, isIPv6, type LookupFunction, type Socket, type TcpNetConnectOpts } from "node:net";
import { connect as connectTls } from "node:tls";
import type { AddressGuard } from "./address-guard.ts";
import type { Attempt } from "./attempt.ts";
import type { Target } from "./check-url.ts";
import type { OutboundProblem } from "./outbound-client.ts";

// How long to wait for one address before trying the next.
const CONNECT_NEXT_MS = 1000;

export interface Destination {
  readonly target: Target;
  /** Checked; only these are connected to. */
  readonly addresses: readonly string[];
  readonly isAllowedAddress: AddressGuard;
  readonly ca: string | undefined;
}

/** Writes nothing before address and certificate are verified, so a wrong receiver learns nothing. */
export function openConnection(destination: Destination, attempt: Attempt): Promise<Socket> {
  const { target, isAllowedAddress } = destination;
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  let stage: OutboundProblem = "connect";
  const socket = openSocket(destination);

  const abort = (): void => {
    reject(attempt.signal.reason);
    socket.destroy();
  };
  if (attempt.signal.aborted) abort();
  else attempt.signal.addEventListener("abort", abort, { once: true });

  socket.once("connect", () => {
    if (!isAllowedAddress(socket.remoteAddress ?? "")) {
      reject(attempt.failure("blocked_address"));
      socket.destroy();
    } else if (target.isSecure) {
      stage = "tls";
    } else {
      resolve(socket);
    }
  });
  if (target.isSecure) socket.once("secureConnect", () => resolve(socket));
  socket.on("error", (error) => reject(attempt.failure(isTlsError(error) ? "tls" : stage, error)));
  socket.on("close", () => reject(attempt.failure(stage)));
  return promise.finally(() => attempt.signal.removeEventListener("abort", abort));
}

function openSocket({ target, addresses, ca }: Destination): Socket {
  const options: TcpNetConnectOpts = {
    host: target.hostname,
    port: target.port,
    lookup: lookupIn(addresses),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: CONNECT_NEXT_MS,
  };
  if (!target.isSecure) return connect(options);
  // An IP address isn't a valid server name (RFC 6066 §3), and Bun throws if one is set.
  const name = target.isLiteral ? {} : { servername: target.hostname };
  return connectTls({
    ...options,
    ...name,
    ...(ca !== undefined && { ca }),
    ALPNProtocols: ["http/1.1"],
    rejectUnauthorized: true,
  });
}

/** Returns the addresses already checked, so nothing is resolved again between the check and the call. */
function lookupIn(addresses: readonly string[]): LookupFunction {
  const answers: LookupAddress[] = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  return (_hostname, { all }, callback) => {
    const [first] = answers;
    if (all) callback(null, answers);
    else callback(null, first?.address ?? "", first?.family);
  };
}

const isTlsError = ({ code = "" }: NodeJS.ErrnoException): boolean =>
  /^(?:ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED)/.test(code);
