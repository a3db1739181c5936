import { allAtOnce } from "./all-at-once.ts";
import type { Bench } from "./bench-definition.ts";
import { bulk } from "./bulk.ts";
import { clicksServers } from "./clicks-servers.ts";
import { console } from "./console.ts";
import { create } from "./create.ts";
import { createServers } from "./create-servers.ts";
import { exportBench } from "./export.ts";
import { idle } from "./idle.ts";
import { importing } from "./import.ts";
import { ingest } from "./ingest.ts";
import { interference } from "./interference.ts";
import { limitsServers } from "./limits-servers.ts";
import { list } from "./list.ts";
import { passwords } from "./passwords.ts";
import { qr } from "./qr.ts";
import { read } from "./read.ts";
import { redirect } from "./redirect.ts";
import { redirectServers } from "./redirect-servers.ts";
import { reports } from "./reports.ts";
import { reportsBeside } from "./reports-beside.ts";
import { retag } from "./retag.ts";
import { rules } from "./rules.ts";
import { scale } from "./scale.ts";
import { sizing } from "./sizing.ts";
import { start } from "./start.ts";
import { trickle } from "./trickle.ts";
import { webhooks } from "./webhooks.ts";
import { webhooksBeside } from "./webhooks-beside.ts";

/** Benches that create links come last, since others rely on the number of links. */
export const benches: readonly Bench[] = [
  redirect,
  redirectServers,
  rules,
  scale,
  read,
  qr,
  list,
  exportBench,
  interference,
  passwords,
  trickle,
  reports,
  reportsBeside,
  console,
  ingest,
  clicksServers,
  create,
  bulk,
  createServers,
  limitsServers,
  webhooks,
  webhooksBeside,
  importing,
  retag,
  start,
  idle,
  sizing,
  allAtOnce,
];
