import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { createEnricher } from "#clicks/classify/enricher.ts";
import { openBundledGeo } from "#clicks/classify/geo.ts";
import { SaltReader } from "#clicks/visitor/salt-reader.ts";
import { keepSalts } from "#clicks/visitor/salts.ts";
import type { RedirectRow } from "#engines/records/redirect-reader.ts";
import { withoutOwnReferer } from "#redirect/own-referer.ts";
import { locationOf } from "#shared/location.ts";
import { instant } from "#visits/fixtures/random-visits.ts";
import { leadOf, planOf } from "#visits/link-plan.ts";
import type { LinkSettings } from "#visits/link-settings.ts";
import { resolveDraft } from "./dry-run.service.ts";
import { headersOf, rules, visitor } from "./fixtures/random-visitors.ts";

const LINKS = 1000;
const VISITS_EACH = 10;
/** One of those that visitors come from. */
const HOST = "example.com";
const NOW = Date.UTC(2026, 5, 17, 12);

const directory = mkdtempSync(join(tmpdir(), "kurz-dry-run-"));
const saltFile = join(directory, "salts.json");
keepSalts(saltFile, NOW);
const salts = new SaltReader(saltFile);
await salts.check(NOW);
const enricher = createEnricher({ salts, geo: openBundledGeo(), countryHeader: "x-country", ownHosts: ["s.example"] });
afterAll(() => rmSync(directory, { recursive: true }));

const settings: fc.Arbitrary<LinkSettings> = fc
  .record({ rules, status: fc.constantFrom(301, 307, undefined), forwardsQuery: fc.boolean() })
  .map(({ rules, status, forwardsQuery }) => ({
    rules,
    ...(status && { redirect_status: status as 301 | 307 }),
    ...(!forwardsQuery && { forward_query: false as const }),
  }));

test("a dry run says where the same visitor is then redirected, and why", () => {
  let split = 0;
  let plain = 0;
  fc.assert(
    fc.property(
      settings,
      fc.array(fc.tuple(visitor, instant), { minLength: VISITS_EACH, maxLength: VISITS_EACH }),
      (chosen, visits) => {
        const row: RedirectRow = {
          no: 7,
          account_no: 1,
          destination_url: "https://example.com/plain",
          utm: { utm_source: "mail" },
          title: null,
          state: "active",
          expires_at: null,
          blocked_reason: null,
          suspended: false,
          guarded: false,
          settings: chosen,
        };
        const toLocation = (url: string): string => locationOf(url, row.utm);
        const planned = { no: 7, location: toLocation(row.destination_url), plan: planOf(chosen, toLocation) };
        const draft = { slug: "abc", row, usedClicks: 0, host: { name: HOST, knowsLink: true, redirects: null } };
        for (const [who, at] of visits) {
          const atMs = at.getTime();
          const headers = new Headers({ ...headersOf(who), host: HOST });
          // A request has its address as it was sent; a constructor would change it.
          const sent = withoutOwnReferer({ method: "GET", headers, url: `/abc?${who.query}` });
          const lead = leadOf(planned, enricher.classify(sent, "192.0.2.7", 1, NOW), atMs);
          const said = resolveDraft(draft, who, {
            atMs,
            own: new Set(["s.example"]),
            domain: { not_found_redirect_url: null, expired_redirect_url: null },
          });
          expect(said.obstacles).toEqual([]);
          expect(said.status).toBe(lead.status);
          expect(said.rule).toBe(lead.rule?.split("/", 1)[0] ?? null);
          if (said.ways.length === 0) expect(said.location).toBe(lead.location);
          else {
            const way = said.ways.find(({ name }) => `${said.rule}/${name}` === lead.rule);
            expect(way?.destination_url).toBe(lead.location);
            expect(said.ways.reduce((sum, { chance }) => sum + chance, 0)).toBeCloseTo(1);
            split += 1;
          }
          if (said.rule === null) plain += 1;
          for (const { decides, failed } of said.rules) if (decides) expect(failed).toEqual([]);
        }
      },
    ),
    { numRuns: LINKS },
  );
  // Otherwise the test would say little.
  expect(split).toBeGreaterThan(500);
  expect(plain).toBeWithin(1000, 8000);
});
