import type { Endpoint } from "../endpoint.ts";
import { endpoints } from "../index.ts";
import * as account from "./account.ts";
import * as imports from "./imports.ts";
import * as links from "./links.ts";
import * as logo from "./logo.ts";
import * as pages from "./pages.ts";
import * as qrDesign from "./qr-design.ts";
import * as session from "./session.ts";
import * as singleSignOn from "./single-sign-on.ts";
import { everydayWork, noSudo, reading, type Sudo } from "./sudo.ts";
import * as user from "./user.ts";
import * as utmTemplates from "./utm-templates.ts";
import * as webhooks from "./webhooks.ts";

export type ConsoleOperation = Endpoint & { readonly sudo: Sudo };

const provenByDns = noSudo(
  "A domain proves itself in DNS, and one with links can't be removed. API tokens can do it too.",
);

type ApiOperation = (typeof endpoints)[number]["id"];

/** Those that are about a token, or that the console has operations of its own for, with re-authentication. */
type OnlyByToken = Extract<ApiOperation, "me.get" | `webhooks.${string}` | `tokens.${string}`>;

/** The API operations the console offers; the others aren't available there. */
const sudoOfApi: Readonly<Record<Exclude<ApiOperation, OnlyByToken>, Sudo>> = {
  "links.list": reading,
  "links.count": reading,
  "links.export": reading,
  "links.create": everydayWork,
  "links.get": reading,
  "links.update": everydayWork,
  "links.tags": everydayWork,
  "links.delete": everydayWork,
  "links.pause": everydayWork,
  "links.resume": everydayWork,
  "links.archive": everydayWork,
  "links.unarchive": everydayWork,
  "links.restore": everydayWork,
  "links.history": reading,
  "links.revert": everydayWork,
  "links.upsert": everydayWork,
  "links.bulk": everydayWork,
  "links.resolve": reading,
  "links.analytics": reading,
  "analytics.get": reading,
  "clicks.list": reading,
  "links.share": everydayWork,
  "links.shares": reading,
  "shares.list": reading,
  "shares.revoke": everydayWork,
  "links.qr": reading,
  "tags.list": reading,
  "tags.get": reading,
  "tags.update": everydayWork,
  "tags.delete": everydayWork,
  "domains.list": reading,
  "domains.create": provenByDns,
  "domains.get": reading,
  "domains.update": provenByDns,
  "domains.delete": provenByDns,
  "domains.verify": provenByDns,
  "account.export": reading,
};

const isOperation = (value: unknown): value is ConsoleOperation =>
  typeof value === "object" && value !== null && "path" in value && "sudo" in value;

/** An API operation under the console's path and sessions. */
export function forConsole(endpoint: Endpoint): ConsoleOperation {
  const sudo = new Map<string, Sudo>(Object.entries(sudoOfApi)).get(endpoint.id);
  if (!sudo) throw new Error(`decide in sudoOfApi whether ${endpoint.id} requires re-authentication in the console`);
  return { ...endpoint, sudo };
}

/** All operations the console can call. */
export const consoleOperations: readonly ConsoleOperation[] = [
  ...[session, singleSignOn, user, account, webhooks, links, pages, logo, qrDesign, utmTemplates, imports].flatMap(
    (definitions) => Object.values<unknown>(definitions).filter(isOperation),
  ),
  ...endpoints.filter(({ id }) => id in sudoOfApi).map(forConsole),
];
