import * as account from "#contract/console/account.ts";
import * as imports from "#contract/console/imports.ts";
import * as links from "#contract/console/links.ts";
import * as logo from "#contract/console/logo.ts";
import * as qrDesign from "#contract/console/qr-design.ts";
import * as session from "#contract/console/session.ts";
import * as user from "#contract/console/user.ts";
import * as utmTemplates from "#contract/console/utm-templates.ts";
import * as webhooks from "#contract/console/webhooks.ts";
import type { Endpoint } from "#contract/endpoint.ts";
import { releasedEndpoints } from "#contract/index.ts";

const endpointsOf = (module: object): Endpoint[] =>
  Object.values(module).filter((value): value is Endpoint => typeof value === "object" && "path" in value);

export const consoleEndpoints: readonly Endpoint[] = [
  account,
  imports,
  links,
  logo,
  qrDesign,
  session,
  user,
  utmTemplates,
  webhooks,
].flatMap(endpointsOf);

/** The endpoints of the API and the console. */
export const allEndpoints: readonly Endpoint[] = [...releasedEndpoints, ...consoleEndpoints];
