import { BadArchive } from "#account-export/bad-archive.ts";
import { printable } from "#account-export/read-tar.ts";
import { actorElsewhere } from "#audit/actors.ts";
import type { ArchivedLink, ArchivedVersion } from "#contract/account-archive.ts";
import type { ImportedLink, ImportItem } from "#imports/import-source.ts";
import type { LinkPast } from "#links/imported-link.ts";

type PastVersion = LinkPast["history"][number];

/** Of one link, which is in memory as a whole. Very few have as many changes. */
const HISTORY_CHARACTERS_MAX = 8 * 1024 * 1024;
const TOO_LONG = "Of a very long history, only the newest versions are kept";
const WAS_BLOCKED = "A link that was blocked by the operator there is paused";

/** The links of one part, until their histories have been read. */
export class ArchivedLinks {
  #links: ArchivedLink[] = [];
  #places = new Map<string, number>();
  /** The one whose history is being read; those before it are done. */
  #at = 0;
  #history: PastVersion[] = [];
  #characters = 0;
  #isCut = false;
  readonly #clicksFrom: number;

  /** Clicks before `clicksFrom` stay behind. */
  constructor(clicksFrom: number) {
    this.#clicksFrom = clicksFrom;
  }

  add(links: readonly ArchivedLink[]): void {
    for (const link of links) this.#places.set(link.id, this.#links.push(link) - 1);
  }

  /** Histories come in the order of their links, so those before one have none, or are complete. */
  *addHistory(versions: readonly ArchivedVersion[]): Generator<ImportItem> {
    for (const version of versions) {
      const place = this.#places.get(version.link) ?? -1;
      const link = this.#links[place];
      if (!link || place < this.#at) throw disordered(version);
      while (this.#at < place) yield this.#next();
      const newest = this.#history.at(-1)?.version ?? 0;
      if (version.version <= newest || version.version > link.version) throw disordered(version);
      this.#keep(toPastVersion(version));
    }
  }

  *finish(): Generator<ImportItem> {
    while (this.#at < this.#links.length) yield this.#next();
    this.#links = [];
    this.#places.clear();
    this.#at = 0;
  }

  #next(): ImportItem {
    const link = toImportedLink(this.#links[this.#at] as ArchivedLink, {
      history: this.#history,
      losses: this.#isCut ? [TOO_LONG] : [],
      clicksFrom: this.#clicksFrom,
    });
    this.#at += 1;
    this.#history = [];
    this.#characters = 0;
    this.#isCut = false;
    return { type: "link", link };
  }

  /** Reverting needs every version from the newest one back, so the oldest go first. */
  #keep(version: PastVersion): void {
    this.#history.push(version);
    this.#characters += sizeOf(version);
    while (this.#characters > HISTORY_CHARACTERS_MAX && this.#history.length > 1) {
      const oldest = this.#history.shift();
      this.#characters -= oldest ? sizeOf(oldest) : 0;
      this.#isCut = true;
    }
  }
}

/** Another change of the link would get the number of a version that a forged history has. */
const disordered = ({ link, version }: ArchivedVersion): BadArchive =>
  new BadArchive(
    `The history isn't in order at version ${version} of ${printable(link)}. Use the file as it was exported.`,
  );

const sizeOf = ({ before, after }: PastVersion): number => before.length + after.length;

/** Whoever it was isn't here, and nobody should believe an archive that says so. */
const toPastVersion = ({ version, at, action, reverted_to, by, before, after }: ArchivedVersion): PastVersion => ({
  version,
  at: Date.parse(at),
  actor: actorElsewhere(by),
  via: "import",
  action,
  reverted_to,
  before: JSON.stringify(before),
  after: JSON.stringify(after),
});

interface AroundLink {
  readonly history: readonly PastVersion[];
  readonly losses: readonly string[];
  readonly clicksFrom: number;
}

function toImportedLink(link: ArchivedLink, { history, losses, clicksFrom }: AroundLink): ImportedLink {
  const { id, slug, domain, password_protected: hadPassword, blocked, used_clicks: usedClicks } = link;
  const state = blocked !== null && link.state === "active" ? "paused" : link.state;
  const isHeld = hadPassword || blocked !== null;
  return {
    sourceId: id,
    slug,
    host: domain.replace(/:\d+$/, ""),
    fields: fieldsOf(link),
    state,
    createdAt: Date.parse(link.created_at),
    hadPassword,
    usedClicks,
    losses: blocked === null ? losses : [...losses, WAS_BLOCKED],
    past: {
      id,
      version: link.version,
      updatedAt: Date.parse(link.updated_at),
      stateBeforeArchive: isHeld && link.state_before_archive === "active" ? "paused" : link.state_before_archive,
      pausedAt: timeOf(link.paused_at),
      archivedAt: timeOf(link.archived_at),
      lastClickedAt: lastClickOf(link, clicksFrom),
      history,
      was: { state: link.state, blocked, password_protected: hadPassword, tags: link.tags },
    },
  };
}

const timeOf = (text: string | null): number | null => (text === null ? null : Date.parse(text));

function lastClickOf({ last_clicked_at }: ArchivedLink, clicksFrom: number): number | null {
  const at = timeOf(last_clicked_at);
  return at !== null && at >= clicksFrom ? at : null;
}

const fieldsOf = (link: ArchivedLink): ImportedLink["fields"] => ({
  destination_url: link.destination_url,
  title: link.title,
  tags: link.tags,
  utm: link.utm,
  expires_at: link.expires_at,
  max_clicks: link.max_clicks,
  starts_at: link.starts_at,
  expired_url: link.expired_url,
  rules: link.rules,
  redirect_status: link.redirect_status,
  forward_query: link.forward_query,
  forward_path: link.forward_path,
  preview: link.preview,
  notes: link.notes,
  external_id: link.external_id,
  metadata: link.metadata,
});
