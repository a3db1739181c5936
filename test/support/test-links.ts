import { SHORTENER_HOSTS } from "#config/shortener-hosts.ts";
import type { Link, LinkCreate } from "#contract/link-record.ts";
import type { LinkQuery } from "#contract/links.ts";
import { listLinks } from "#contract/links.ts";
import type { Records } from "#engines/records/records.ts";
import { OtherStatus, Replayed } from "#http/route.ts";
import type { Caller } from "#kernel/caller.ts";
import { type Clock, systemClock } from "#kernel/clock.ts";
import { cursorCodec } from "#links/link-cursor.ts";
import type { LinkDeps } from "#links/link-deps.ts";
import { type LinkService, linkService } from "#links/links.service.ts";
import { openOutbox } from "#outbox/outbox.service.ts";

const SECRET_KEY = "a test key that is long enough for any purpose";

export const testDestinations = { ownHosts: ["s.example"], shortenerHosts: SHORTENER_HOSTS, allowPrivate: false };

export const testLinkDeps = (records: Records, clock: Clock = systemClock, deps: Partial<LinkDeps> = {}): LinkDeps => ({
  records,
  clock,
  cursors: cursorCodec(SECRET_KEY),
  secretKey: SECRET_KEY,
  outbox: openOutbox(),
  origin: { scheme: "https:", domain: "s.example" },
  destinations: testDestinations,
  blockReasonOf: () => null,
  knowsBlocklist: () => true,
  ...deps,
});

export const testLinkService = (...deps: Parameters<typeof testLinkDeps>): LinkService =>
  linkService(testLinkDeps(...deps));

export async function createTestLink(
  links: LinkService,
  caller: Caller,
  body: Partial<LinkCreate> = {},
): Promise<Link> {
  const created = await links.create(caller, { destination_url: "https://example.com/", ...body }, null);
  if (created instanceof Replayed) return JSON.parse(created.json) as Link;
  return created instanceof OtherStatus ? created.value : created;
}

/** A query with the contract's defaults filled in. */
export const linkQuery = (query: Partial<LinkQuery> = {}): LinkQuery => listLinks.query.parse(query);
