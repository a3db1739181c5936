import type { Clock } from "#kernel/clock.ts";
import { gate } from "#kernel/gate.ts";
import { GenerationMap } from "#kernel/generation-map.ts";
import type { SiteIcon } from "./find-site-icon.ts";

interface Known {
  readonly icon: SiteIcon | null;
  readonly until: number;
}

interface Deps {
  readonly clock: Clock;
  readonly lookUp: (site: string) => Promise<SiteIcon | null>;
}

const DAY_MS = 86_400_000;
const FRESH_MS = { icon: 7 * DAY_MS, none: DAY_MS };
const CACHE_BYTES_MAX = 16 * 1024 * 1024;
const ENTRY_BYTES = 300;
const LOOKUPS_AT_ONCE = 4;
const WAITING_MAX = 300;

/** There is more to look up than anyone waits for; what is still wanted later is asked for again. */
export class TooManySites extends Error {}

/** The icons of sites, in memory: they are looked up again after a restart, a few at a time. */
export function siteIcons({ clock, lookUp }: Deps) {
  const weightOf = ({ icon }: Known): number => ENTRY_BYTES + (icon?.bytes.byteLength ?? 0);
  const cache = new GenerationMap<Known>({ weightMax: CACHE_BYTES_MAX, weightOf });
  const running = new Map<string, Promise<SiteIcon | null>>();
  const inTurn = gate(LOOKUPS_AT_ONCE, { waitingMax: WAITING_MAX, refusal: () => new TooManySites() });

  /** `undefined` if it isn't known yet. */
  const findKnown = (site: string): SiteIcon | null | undefined => {
    const known = cache.get(site);
    return known && known.until > clock() ? known.icon : undefined;
  };

  const start = (site: string): Promise<SiteIcon | null> => {
    const looking = inTurn(() => lookUp(site)).then((icon) => {
      cache.set(site, { icon, until: clock() + (icon ? FRESH_MS.icon : FRESH_MS.none) });
      return icon;
    });
    running.set(site, looking);
    const end = (): void => void running.delete(site);
    looking.then(end, end);
    return looking;
  };

  /** Waits for it. Whoever asks for the same meanwhile shares the answer. */
  const find = async (site: string): Promise<SiteIcon | null> => {
    const known = findKnown(site);
    return known === undefined ? (running.get(site) ?? start(site)) : known;
  };

  return {
    findKnown,
    find,

    /** `null` if it takes longer; the look-up goes on, for the next time. */
    async findWithin(site: string, waitMs: number): Promise<SiteIcon | null> {
      const { promise: tooLong, resolve } = Promise.withResolvers<null>();
      const timer = setTimeout(resolve, waitMs, null);
      return Promise.race([find(site), tooLong]).finally(() => clearTimeout(timer));
    },
  };
}
