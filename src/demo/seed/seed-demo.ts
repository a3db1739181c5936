import { mkdirSync, writeFileSync } from "node:fs";
import { dataPaths } from "#config/data-paths.ts";
import { enginePlaces } from "#config/engine-places.ts";
import type { Config } from "#config/settings.ts";
import { type Scope, scopes } from "#contract/scopes.ts";
import { demoAccess } from "#demo/demo-access.ts";
import { migrateRecords } from "#engines/open-engines.ts";
import type { Caller } from "#kernel/caller.ts";
import { repeatIds } from "#kernel/ids.ts";
import { ingestJournal } from "#runtime/ingest-journal.ts";
import { openServices, type Services } from "#runtime/services.ts";
import { clickLines } from "#sample-data/click-lines.ts";
import { fillJournal } from "#sample-data/fill-journal.ts";
import { LEAD_MS } from "#sample-data/sample-links.ts";
import { createDemoAccount, type DemoPasswords, hashDemoPasswords } from "./create-demo-account.ts";
import { createDemoLinks } from "./create-demo-links.ts";
import { createDemoWebhooks } from "./create-demo-webhooks.ts";
import { type DemoAccount, demoAccounts } from "./demo-accounts.ts";
import { redateAudit } from "./demo-webhooks.store.ts";

const DAY_MS = 86_400_000;
const YEAR_MS = 365 * DAY_MS;
const TAGS_COLORED_MS = 90 * DAY_MS;
// Ids begin with their time. These are older than anything visitors create.
const FIRST_ID_MS = Date.UTC(2026, 0, 1);
const ID_SEED = 1;
// Of the clicks; the list begins with new links, and shows how they start.
const FRESH_SHARE = 0.45;
/** How many links visitors may add to an account. */
const LINKS_ADDED_MAX = 50;

/** Fills an empty data directory. The same time gives the same data; the ids never change. */
export async function seedDemo(config: Config, asOfMs: number): Promise<void> {
  repeatIds(FIRST_ID_MS, ID_SEED);
  const paths = dataPaths(config.dataDir);
  mkdirSync(paths.run, { recursive: true, mode: 0o700 });
  writePlans(config, {});
  await migrateRecords(enginePlaces(config).records);
  const services = await openServices({ config, paths });
  const ingestion = ingestJournal(services);
  try {
    const passwords = await hashDemoPasswords();
    for (const [index, account] of demoAccounts.entries()) {
      await seedAccount(services, account, { asOfMs, passwords, seed: index + 1, signal: ingestion.failed });
    }
    writePlans(config, await countActiveLinks(services));
  } finally {
    await ingestion.stop();
    await services.close();
  }
}

interface SeedOptions {
  readonly asOfMs: number;
  readonly passwords: DemoPasswords;
  readonly seed: number;
  readonly signal: AbortSignal;
}

/** Everyone can read the demo's token: it can't change where events go, or make tokens that outlive it. */
const isForEveryone = (scope: Scope): boolean => !/^(?:webhooks|tokens):/.test(scope);

async function seedAccount(
  services: Services,
  account: DemoAccount,
  { asOfMs, passwords, seed, signal }: SeedOptions,
): Promise<void> {
  const { config, paths, tokens } = services;
  const fromMs = asOfMs - YEAR_MS;
  const callers = await createDemoAccount(services, account, { at: fromMs - LEAD_MS, passwords });
  const [caller] = callers;
  const targets = await createDemoLinks(services, { account, callers, fromMs, toMs: asOfMs, seed });
  const lines = clickLines({ targets, clicks: account.clicks, fromMs, toMs: asOfMs, seed, freshShare: FRESH_SHARE });
  const { journalBytesMax } = config;
  await fillJournal(lines, { directory: paths.journal, journalBytesMax, signal, onProgress: () => {} });
  await colorTags(services, caller, account, asOfMs - TAGS_COLORED_MS);
  if (account !== demoAccounts[0]) return;
  await createDemoWebhooks(services, caller, asOfMs);
  const { token } = demoAccess;
  const published = { name: "Published demo token", expiresInMs: null, rateLimit: null, actor: caller.actor, token };
  await tokens.create({ ...published, accountId: caller.accountId, scopes: scopes.filter(isForEveryone) });
}

async function colorTags(
  { records, tags }: Services,
  caller: Caller,
  { tagColors }: DemoAccount,
  at: number,
): Promise<void> {
  for (const [name, color] of Object.entries(tagColors)) {
    await tags.addColor(caller, { name, color });
    await records.write((tx) => redateAudit(tx, name, at));
  }
}

/** By plan: each demo account has a plan of its own. */
async function countActiveLinks({ accounts }: Services): Promise<Readonly<Record<string, number>>> {
  return Object.fromEntries((await accounts.list()).map(({ plan_id, active_links }) => [plan_id, active_links]));
}

/** The usual plans, but with room for only a few more links than the demo starts with. */
function writePlans({ plansFile }: Config, active: Readonly<Record<string, number>>): void {
  const limitOf = (plan: string, most: number): number =>
    Math.min(most, (active[plan] ?? Number.POSITIVE_INFINITY) + LINKS_ADDED_MAX);
  const plans = {
    free: { api_access: false, active_links: limitOf("free", 25), webhook_endpoints: 1, domains: 0, rules_per_link: 2 },
    pro: { api_access: true, active_links: limitOf("pro", 500), webhook_endpoints: 5, domains: 5 },
    unlimited: { api_access: true, active_links: limitOf("unlimited", 10_000), webhook_endpoints: 10, domains: 5 },
  };
  if (plansFile !== null) writeFileSync(plansFile, JSON.stringify(plans), { mode: 0o600 });
}
