import type { FoundLink, RedirectRow } from "#engines/records/redirect-reader.ts";
import { type Gate, gate } from "#kernel/gate.ts";
import { GenerationMap } from "#kernel/generation-map.ts";
import type { LinkKey } from "#kernel/link-key.ts";
import { nextTurn } from "#kernel/next-turn.ts";
import { locationOf } from "#shared/location.ts";
import { type LinkPlan, locationsOf, planOf } from "#visits/link-plan.ts";
import type { VisitedLink } from "./click-sink.ts";
import { activeUntil } from "./outcome.ts";

/** A link ready to be opened. */
export interface CachedLink extends VisitedLink {
  /** The destination with the link's UTM parameters. */
  readonly location: string;
  /** Whether it redirects everyone at once, to locations of visible ASCII, which a header can have as they are. */
  readonly isDirect: boolean;
  /** Null for a link that always leads to its location. */
  readonly plan: LinkPlan | null;
  /** See {@link activeUntil}. */
  readonly activeUntil: number;
  readonly row: RedirectRow;
}

/** Whether it may lead other visitors elsewhere. */
export const hasRules = ({ plan }: CachedLink): boolean => plan !== null && plan.rules.length > 0;

export type Entry = CachedLink | "deleted";

/** Thrown if more look-ups are waiting than can be served in time. */
export class TooManyLoads extends Error {}

export interface LinkReader {
  find(key: LinkKey): Promise<FoundLink>;
}

export interface LinkCacheOptions {
  readonly reader: LinkReader;
  /** Counted in units of 512 characters, so long destinations can't fill the memory. */
  readonly linksMax?: number;
  readonly unknownMax?: number;
  /** Look-ups that run at a time. */
  readonly runningMax?: number;
  readonly waitingMax?: number;
}

const LINKS_MAX = 500_000;
const UNKNOWN_MAX = 100_000;
const LOADS_RUNNING_MAX = 64;
const LOADS_WAITING_MAX = 1024;
const PLACE_CHARACTERS = 512;
const PLAIN = /^[!-~]+$/;

/** The short links that this process knows. Call `forget` or `clear` after a change. */
export class LinkCache {
  readonly #reader: LinkReader;
  readonly #links: GenerationMap<Entry>;
  readonly #unknown: GenerationMap<true>;
  readonly #loads = new Map<string, Promise<Entry | null>>();
  readonly #gate: Gate;
  readonly #lowPriorityGate: Gate;

  constructor({
    reader,
    linksMax = LINKS_MAX,
    unknownMax = UNKNOWN_MAX,
    runningMax = LOADS_RUNNING_MAX,
    waitingMax = LOADS_WAITING_MAX,
  }: LinkCacheOptions) {
    this.#reader = reader;
    this.#links = new GenerationMap({ weightMax: linksMax, weightOf: placesOf });
    this.#unknown = new GenerationMap({ weightMax: unknownMax });
    const queue = { waitingMax, refusal: () => new TooManyLoads("too many look-ups") };
    this.#gate = gate(runningMax, queue);
    this.#lowPriorityGate = gate(1, queue);
  }

  peek(key: LinkKey): Entry | undefined {
    return this.#links.get(key);
  }

  isKnownMissing(key: LinkKey): boolean {
    return this.#unknown.get(key) === true;
  }

  /** Concurrent look-ups of the same key share one query; rejects if the records engine can't answer. */
  load(key: LinkKey): Promise<Entry | null> {
    const running = this.#loads.get(key);
    if (running) return running;
    const load: Promise<Entry | null> = this.#gate(() => this.#reader.find(key))
      .then((found) => {
        const entry = found === null || found === "deleted" ? found : toCachedLink(found);
        // If the key was forgotten meanwhile, the row may be older than the change.
        if (this.#loads.get(key) === load) this.#keep(key, entry);
        return entry;
      })
      .finally(() => {
        if (this.#loads.get(key) === load) this.#loads.delete(key);
      });
    this.#loads.set(key, load);
    return load;
  }

  /**
   * The same for an address that has guessed too many slugs: at most one of these runs per event loop iteration, and all
   * other look-ups go first.
   */
  loadWithLowPriority(key: LinkKey, isMissing = () => this.isKnownMissing(key)): Promise<Entry | null> {
    return this.#lowPriorityGate(async () => {
      await nextTurn();
      return this.peek(key) ?? (isMissing() ? null : this.load(key));
    });
  }

  forget(key: LinkKey): void {
    this.#links.delete(key);
    this.#unknown.delete(key);
    this.#loads.delete(key);
  }

  clear(): void {
    this.#links.clear();
    this.#unknown.clear();
    this.#loads.clear();
  }

  #keep(key: LinkKey, entry: Entry | null): void {
    if (entry === null) {
      this.#unknown.set(key, true);
      return;
    }
    this.#unknown.delete(key);
    this.#links.set(key, entry);
  }
}

function toCachedLink(row: RedirectRow): CachedLink {
  const toLocation = (url: string): string => locationOf(url, row.utm);
  const location = toLocation(row.destination_url);
  const plan = row.settings === null ? null : planOf(row.settings, toLocation);
  return {
    no: row.no,
    accountNo: row.account_no,
    location,
    isDirect: !row.guarded && PLAIN.test(location) && (plan === null || isDirect(plan)),
    plan,
    activeUntil: activeUntil(row),
    row,
    kept: undefined,
  };
}

const isDirect = (plan: LinkPlan): boolean =>
  plan.maxClicks === null && plan.preview === null && locationsOf(plan).every((location) => PLAIN.test(location));

function placesOf(entry: Entry): number {
  if (entry === "deleted") return 1;
  const { location, plan, row } = entry;
  const utm = Object.values(row.utm).reduce((characters, text) => characters + (text?.length ?? 0), 0);
  // What a sink keeps with a link (`kept`) are texts of its location, which are no longer than that.
  const texts = row.destination_url.length + utm + location.length * 2;
  const others = plan === null ? 0 : JSON.stringify(row.settings).length * 2;
  return 1 + Math.floor((texts + others) / PLACE_CHARACTERS);
}
