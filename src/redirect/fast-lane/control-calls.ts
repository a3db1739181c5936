import { BODY_BYTES_MAX, SHARE_PATH } from "#contract/limits.ts";
import { CLIENT_HEADER, REQUEST_ID_HEADER } from "#kernel/internal-headers.ts";
import { networkOf } from "#kernel/network-address.ts";
import type { Answers } from "../answers.ts";
import { isApi } from "../body-limits.ts";
import type { ControlGate } from "../control-gate.ts";
import type { ControlShares } from "../control-shares.ts";
import { forwardedProto, isPassedField } from "../pass-through-headers.ts";
import { isReadByPeople } from "../read-by-people.ts";
import { type CallClient, ControlCall, type ControlRequest } from "./control-call.ts";
import { ControlPool } from "./control-pool.ts";
import type { HeadScanner } from "./head-scanner.ts";
import { REFUSED_METHOD } from "./methods.ts";

export interface ControlCallsOptions {
  readonly socketPath: string;
  readonly shares: ControlShares;
  readonly gate?: Pick<ControlGate, "opening" | "depart">;
  readonly answers: Pick<Answers, "isDraining" | "apiUnavailable" | "unavailable" | "bodyLate">;
  readonly baseHost: string;
  /** Whether short links have their own host, which serves nothing else. */
  readonly isBaseHostOnly: boolean;
  /** Whether the host is certainly no domain of an account. */
  readonly isOwnHost: (host: string) => boolean;
  readonly proxyHops: number;
  /** Called with the headers of each request. */
  readonly onHead: (headers: Pick<Headers, "get">) => void;
  readonly onError: (error: unknown) => void;
}

export interface CallFacts {
  readonly clientAddress: string;
  readonly requestId: string;
}

const PASSED_TARGET = /^\/(?:api|docs|console)(?:[/?]|$)/;
// All URL parsers leave these as they are.
const CLEAR_TARGET = /^[\w\-.~!$&()*+,;=:@/?%]*$/;

/** Requests that go straight to control: only those that every HTTP parser would read the same way. */
export class ControlCalls {
  readonly #options: ControlCallsOptions;
  readonly #pool: ControlPool;
  readonly #streams = new Set<ControlCall>();
  readonly #callOptions;

  constructor(options: ControlCallsOptions) {
    this.#options = options;
    this.#pool = new ControlPool(options.socketPath);
    this.#callOptions = {
      ...options,
      pool: this.#pool,
      onStream: (call: ControlCall, isOpen: boolean) => {
        if (isOpen) this.#streams.add(call);
        else this.#streams.delete(call);
      },
    };
  }

  /** Whether the request that was just scanned may go straight to control. */
  isFor(scanner: HeadScanner): boolean {
    const { baseHost, isBaseHostOnly, isOwnHost } = this.#options;
    return (
      (PASSED_TARGET.test(scanner.url) || SHARE_PATH.test(scanner.url)) &&
      CLEAR_TARGET.test(scanner.url) &&
      scanner.isClear &&
      scanner.bodyBytes <= BODY_BYTES_MAX &&
      isOwnHost(scanner.host) &&
      !(isBaseHostOnly && scanner.host.toLowerCase() !== baseHost)
    );
  }

  open(client: CallClient, head: string, scanner: HeadScanner, facts: CallFacts): ControlCall {
    const { baseHost, proxyHops } = this.#options;
    const { requestId, clientAddress } = facts;
    const [line = "", ...lines] = head.split("\r\n");
    const { fields, passed } = readFields(lines);
    this.#options.onHead(fields);
    const method = scanner.isKnownMethod ? line.slice(0, line.indexOf(" ")) : REFUSED_METHOD;
    const proto = forwardedProto(fields, proxyHops);
    return new ControlCall(this.#callOptions, client, {
      head:
        `${method} ${scanner.url} HTTP/1.1\r\nhost: ${baseHost}\r\n` +
        `${CLIENT_HEADER}: ${clientAddress}\r\n${REQUEST_ID_HEADER}: ${requestId}\r\n` +
        `${proto === undefined ? "" : `x-forwarded-proto: ${proto}\r\n`}${passed}`,
      isHead: scanner.isHead,
      bodyBytes: scanner.bodyBytes,
      body: bodyOf(method, scanner.url, fields),
      isLast: scanner.isLast,
      party: networkOf(clientAddress),
      requestId,
      isReadByPeople: isReadByPeople(scanner.url, fields),
      acceptLanguage: fields.get("accept-language"),
    });
  }

  /** Event streams never end by themselves, and would keep the process from shutting down. */
  endStreams(): void {
    for (const call of [...this.#streams]) call.endStream();
  }

  /** The number of open connections to control. */
  get connections(): number {
    return this.#pool.size;
  }

  close(): void {
    this.#pool.close();
  }
}

type Fields = Pick<Headers, "get">;

/** The header fields, and the lines of those that go to control as they are. */
function readFields(lines: readonly string[]): { readonly fields: Fields; readonly passed: string } {
  const values = new Map<string, string>();
  let passed = "";
  for (const line of lines) {
    const colon = line.indexOf(":");
    if (colon === -1) continue;
    const name = line.slice(0, colon).toLowerCase();
    const before = values.get(name);
    const value = line.slice(colon + 1).trim();
    values.set(name, before === undefined ? value : `${before}, ${value}`);
    if (isPassedField(name)) passed += `${line}\r\n`;
  }
  return { passed, fields: { get: (name) => values.get(name) ?? null } };
}

function bodyOf(method: string, target: string, fields: Fields): ControlRequest["body"] {
  if (method === "GET" || method === "HEAD") return "dropped";
  // The API checks the token first, so an answer to a request without one never depends on the body.
  return isApi(target) && fields.get("authorization") === null ? "unread" : "passed";
}
