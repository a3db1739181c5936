import type { RateWindows } from "#engines/coordination/rate-windows.ts";
import type { OutboundClient } from "#engines/outbound/outbound-client.ts";
import { rateLimited } from "#http/rate-limit.ts";
import type { Caller } from "#kernel/caller.ts";
import type { Clock } from "#kernel/clock.ts";
import { gate } from "#kernel/gate.ts";
import type { LinkService } from "#links/links.service.ts";
import type { PageAccess } from "./fetch-page.ts";
import { findPageTitle } from "./find-page-title.ts";
import { findSiteIcon, type SiteIcon } from "./find-site-icon.ts";
import { siteIcons, TooManySites } from "./site-icons.ts";
import { type SiteKeys, siteKeys } from "./site-keys.ts";

interface Deps {
  /** `null` if look-ups are off. */
  readonly client: OutboundClient | null;
  readonly links: Pick<LinkService, "assertMayLeadTo" | "destinationUrls">;
  readonly isAllowed: PageAccess["isAllowed"];
  /** Counts titles per person. */
  readonly windows: RateWindows;
  readonly clock: Clock;
  readonly secretKey: string;
  readonly onProblem: (message: string, error: unknown) => void;
}

export const TITLES_WINDOW_MS = 60_000;
const LOOKUP_MS_MAX = 4000;
const TITLES_MAX = 20;
const TITLES_AT_ONCE = 4;
const TITLES_WAITING_MAX = 20;
const TITLE_WAIT_MS_MAX = 2000;
const ICON_WAIT_MS_MAX = 1500;

class TooManyTitles extends Error {}

function ignoreTooMany(error: unknown): null {
  if (error instanceof TooManySites) return null;
  throw error;
}

export interface SiteIconAddress {
  readonly site: string;
  /** What proves that the account may see its icon; `null` if there is none. */
  readonly key: string | null;
}

/** What the console shows of the pages that links lead to. */
export function pageService(deps: Deps) {
  const { client, links, isAllowed, windows, clock, secretKey, onProblem } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  const access: PageAccess | null = client && { client, isAllowed, timeoutMs: LOOKUP_MS_MAX };
  const keys: SiteKeys = siteKeys(secretKey);
  const lookUpIcon = (pages: PageAccess, site: string): Promise<SiteIcon | null> =>
    findSiteIcon(pages, site, signal).catch((error: unknown) => {
      if (!signal.aborted) onProblem("an icon could not be looked up", error);
      return null;
    });
  const icons = siteIcons({
    clock,
    lookUp: async (site) => access && lookUpIcon(access, site),
  });
  const titlesInTurn = gate(TITLES_AT_ONCE, {
    waitingMax: TITLES_WAITING_MAX,
    waitMsMax: TITLE_WAIT_MS_MAX,
    refusal: () => new TooManyTitles(),
  });

  /** In the background: the next request finds it. */
  const prepareIcon = (site: string): void => {
    icons.find(site).catch(ignoreTooMany);
  };

  return {
    isOn: access !== null,

    /** A suggestion for a link to the address; nobody waits for it long. */
    async titleOf(caller: Caller, destinationUrl: string): Promise<string | null> {
      if (!access) return null;
      const decision = await windows.take(caller.actor, TITLES_MAX);
      if (!decision.allowed) throw rateLimited(decision, { what: "titles", windowSeconds: TITLES_WINDOW_MS / 1000 });
      await links.assertMayLeadTo(caller, destinationUrl);
      return titlesInTurn(() => findPageTitle(access, destinationUrl, signal), signal).catch((error: unknown) => {
        if (error instanceof TooManyTitles || signal.aborted) return null;
        throw error;
      });
    },

    /** What is known now about the sites that the account's links lead to; the rest is looked up for the next time. */
    async iconsOf(caller: Caller, ids: readonly string[]): Promise<{ data: SiteIconAddress[]; pending: boolean }> {
      if (!access) return { data: [], pending: false };
      const urls = await links.destinationUrls(caller, ids);
      const sites = [...new Set(urls.map((url) => new URL(url).origin))];
      const data: SiteIconAddress[] = [];
      for (const site of sites) {
        const icon = icons.findKnown(site);
        if (icon === undefined) prepareIcon(site);
        else data.push({ site, key: icon && keys.keyFor(caller, site) });
      }
      return { data, pending: data.length < sites.length };
    },

    /** Waits a little if another node was asked about it: an image that waits keeps a connection from other requests. */
    async findIcon(caller: Caller, { site, key }: { site: string; key: string }): Promise<SiteIcon | null> {
      if (!access || !keys.isKeyFor(caller, site, key)) return null;
      return icons.findWithin(site, ICON_WAIT_MS_MAX).catch(ignoreTooMany);
    },

    close: (): void => stopping.abort(),
  };
}
export type PageService = ReturnType<typeof pageService>;
