import type { LookupAddress } from "node:dns";
import { type ClientRequest, request as httpRequest, type IncomingMessage, type RequestOptions } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIPv6, type LookupFunction, type Socket, type TcpSocketConnectOpts } from "node:net";
import type { AddressGuard } from "./address-guard.ts";
import type { Attempt } from "./attempt.ts";
import type { Target } from "./check-url.ts";
import type { OutboundAnswer, OutboundProblem, OutboundRequest } from "./outbound-client.ts";
import { readAnswer } from "./read-answer.ts";

const HEAD_BYTES_MAX = 16 * 1024;
// How long one of several addresses may take before the next one is tried.
const CONNECT_NEXT_MS = 1000;

interface Exchange {
  readonly request: OutboundRequest;
  readonly target: Target;
  /** Vetted; nothing else is dialled. */
  readonly addresses: readonly string[];
  readonly isAllowedAddress: AddressGuard;
  readonly ca: string | undefined;
}

/** Sends the request to one of the addresses and reads the answer. */
export function exchange(parts: Exchange, attempt: Attempt): Promise<OutboundAnswer> {
  const { request, target, isAllowedAddress } = parts;
  const { promise, resolve, reject } = Promise.withResolvers<OutboundAnswer>();
  let stage: OutboundProblem = "connect";
  const outgoing = openRequest(parts);

  const abort = (): void => {
    reject(attempt.signal.reason);
    outgoing.destroy();
  };
  if (attempt.signal.aborted) abort();
  else attempt.signal.addEventListener("abort", abort, { once: true });

  const send = (): void => {
    stage = "reset";
    outgoing.end(request.body);
  };
  // Nothing is written before the address and the certificate are known, so a wrong receiver learns nothing.
  const begin = (socket: Socket): void => {
    if (!isAllowedAddress(socket.remoteAddress ?? "")) {
      reject(attempt.failure("blocked_address"));
      outgoing.destroy();
    } else if (target.isSecure) {
      stage = "tls";
      socket.once("secureConnect", send);
    } else {
      send();
    }
  };
  outgoing.on("socket", (socket) => {
    if (socket.connecting) socket.once("connect", () => begin(socket));
    else begin(socket);
  });
  outgoing.on("response", (answer: IncomingMessage) => {
    attempt.signal.removeEventListener("abort", abort);
    resolve(readAnswer({ outgoing, answer, readBytesMax: request.readBytesMax }, attempt));
  });
  outgoing.on("error", (error) => reject(attempt.failure(findProblem(error) ?? stage, error)));
  // An upgrade that nobody asked for ends the request with neither an answer nor an error.
  outgoing.on("close", () => reject(attempt.failure("protocol")));
  return promise.finally(() => attempt.signal.removeEventListener("abort", abort));
}

function openRequest({ request, target, addresses, ca }: Exchange): ClientRequest {
  const options: RequestOptions & Pick<TcpSocketConnectOpts, "autoSelectFamily" | "autoSelectFamilyAttemptTimeout"> = {
    method: "POST",
    hostname: target.hostname,
    port: target.port,
    path: target.path,
    headers: { ...request.headers, Host: target.host, "Content-Length": request.body.byteLength },
    // An agent of its own: no connection is kept or shared.
    agent: false,
    lookup: lookupIn(addresses),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: CONNECT_NEXT_MS,
    maxHeaderSize: HEAD_BYTES_MAX,
  };
  if (!target.isSecure) return httpRequest(options);
  // An address is no server name (RFC 6066 §3), and Bun throws where one is set.
  const name = target.isLiteral ? {} : { servername: target.hostname };
  return httpsRequest({ ...options, ...name, ...(ca !== undefined && { ca }), rejectUnauthorized: true });
}

/** Gives what was resolved and vetted before, so that nothing is asked again between the check and the call. */
function lookupIn(addresses: readonly string[]): LookupFunction {
  const answers: LookupAddress[] = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  return (_hostname, { all }, callback) => {
    const [first] = answers;
    if (all) callback(null, answers);
    else callback(null, first?.address ?? "", first?.family);
  };
}

/** Codes that name their problem at any stage. */
function findProblem({ code = "" }: NodeJS.ErrnoException): OutboundProblem | undefined {
  if (code.startsWith("HPE_")) return "protocol";
  return /^(?:ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED)/.test(code) ? "tls" : undefined;
}
