import type { Kurz } from "#sdk/client.ts";
import type { Domain, DomainPatch } from "#sdk/generated.ts";
import { type Api, startApi } from "./api-client.ts";
import { userAgents } from "./clicks.ts";
import { type DnsServer, startDnsServer } from "./dns-server.ts";
import { askOnce } from "./raw-connection.ts";
import type { RawAnswer } from "./raw-message.ts";

export interface DomainStage {
  readonly api: Api;
  readonly dns: DnsServer;
  /** Adds its TXT record to those of the name. */
  prove(domain: Domain): void;
  /** Removes it. */
  forget(domain: Domain): void;
  /** A new verified domain of the account. */
  verified(kurz: Kurz, name?: string): Promise<Domain>;
  ask(host: string, target: string, method?: string): Promise<RawAnswer>;
  stop(): Promise<void>;
}

let count = 0;
export function newName(): string {
  count += 1;
  return `d${count}.acme.example`;
}

/** A server that asks a name server of ours. */
export async function startDomainStage(env: Readonly<Record<string, string>> = {}): Promise<DomainStage> {
  const dns = await startDnsServer();
  const api = await startApi({ KURZ_DNS_SERVERS: dns.address, ...env });
  const values = new Map<string, Set<string>>();
  const valuesOf = (name: string): Set<string> => {
    const known = values.get(name) ?? new Set();
    values.set(name, known);
    return known;
  };
  const prove = ({ verification: { name, value } }: Domain): void => dns.set(name, ...valuesOf(name).add(value));
  return {
    api,
    dns,
    prove,
    forget({ verification: { name, value } }) {
      valuesOf(name).delete(value);
      dns.set(name, ...valuesOf(name));
    },
    async verified(kurz, name = newName()) {
      const domain = await kurz.domains.create({ name });
      prove(domain);
      return kurz.domains.verify(domain.id);
    },
    ask: (host, target, method = "GET") => askOnce(api.server.port, { method, target, headers: [["Host", host]] }),
    async stop() {
      await api.stop();
      dns.stop();
    },
  };
}

/** An account with two domains: one that leads visitors who find nothing to addresses of its own, and one that doesn't. */
export interface TwoDomains {
  readonly stage: DomainStage;
  readonly kurz: Kurz;
  readonly led: Domain;
  readonly bare: Domain;
  /** As a person with a browser. */
  ask(host: string, target: string, method?: string): Promise<RawAnswer>;
  /** The same; returns status and location. */
  visit(host: string, target: string, method?: string): Promise<string>;
}

interface TwoDomainsOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly addresses: DomainPatch;
}

export async function startTwoDomains({ env, addresses }: TwoDomainsOptions): Promise<TwoDomains> {
  const stage = await startDomainStage(env);
  const { kurz } = await stage.api.newCaller();
  const bare = await stage.verified(kurz);
  const { id } = await stage.verified(kurz);
  const led = await kurz.domains.update(id, addresses);
  const ask: TwoDomains["ask"] = (host, target, method = "GET") =>
    askOnce(stage.api.server.port, {
      method,
      target,
      headers: [
        ["Host", host],
        ["User-Agent", userAgents.firefox],
      ],
    });
  return {
    ...{ stage, kurz, led, bare, ask },
    async visit(host, target, method) {
      const { status, headers } = await ask(host, target, method);
      return `${status} ${headers.get("Location")}`;
    },
  };
}
