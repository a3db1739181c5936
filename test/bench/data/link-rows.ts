import { newUlid } from "#kernel/ids.ts";
import { seededRandom } from "#kernel/seeded-random.ts";
import { searchTextOf } from "#links/link-fields.ts";
import { SLUG_ALPHABET } from "#links/slug.ts";

const WORDS = (
  "spring summer autumn winter sale launch product guide review webinar report partner festival travel recipe " +
  "garden health finance school weekly daily offer member story video podcast market design street kitchen"
).split(" ");
const SLUG_LENGTH = 8;
const FIRST_MS = Date.UTC(2024, 0, 1);
const SPAN_MS = 2 * 365 * 86_400_000;

/** The terms that searches and filters use, and how often they occur. */
export const COMMON_WORD = "campaign";
export const RARE_WORD = "zeppelin";
export const COMMON_TAG = "newsletter";
export const RARE_TAG = "jubilee";
const COMMON_SHARE = 0.2;
const RARE_LINKS = 10;

export interface AccountPlan {
  readonly no: number;
  readonly links: number;
}

export type LinkState = "active" | "paused" | "archived";

export interface LinkValues {
  readonly id: string;
  readonly account_no: number;
  readonly slug: string;
  readonly destination_url: string;
  readonly title: string;
  readonly tags: readonly string[];
  readonly state: LinkState;
  readonly click_count: number;
  readonly created_at: number;
  readonly search_text: string;
}

/** The links of all accounts in order of creation. */
export function* linkRows(accounts: readonly AccountPlan[]): Generator<LinkValues> {
  const random = seededRandom(1);
  const slugs = new Set<string>();
  const total = accounts.reduce((sum, { links }) => sum + links, 0);
  let made = 0;
  for (const { no, links } of accounts) {
    const rareEvery = Math.ceil(links / RARE_LINKS);
    for (let index = 0; index < links; index += 1) {
      const isRare = index % rareEvery === rareEvery >> 1;
      yield linkRow(no, newUniqueSlug(random, slugs), isRare, FIRST_MS + Math.floor((SPAN_MS * made) / total), random);
      made += 1;
    }
  }
}

function linkRow(
  accountNo: number,
  slug: string,
  isRare: boolean,
  createdAt: number,
  random: () => number,
): LinkValues {
  const pick = (): string => WORDS[Math.floor(random() * WORDS.length)] ?? "";
  const title = [pick(), random() < COMMON_SHARE ? COMMON_WORD : pick(), isRare ? RARE_WORD : pick()].join(" ");
  const destination = `https://www.${pick()}-${Math.floor(random() * 1000)}.example/${pick()}/${pick()}-${Math.floor(random() * 1e6)}`;
  const tags = [
    ...(random() < COMMON_SHARE ? [COMMON_TAG] : []),
    ...(random() < 0.5 ? [pick()] : []),
    ...(isRare ? [RARE_TAG] : []),
  ];
  return {
    id: `lnk_${newUlid()}`,
    account_no: accountNo,
    slug,
    destination_url: destination,
    title,
    tags: [...new Set(tags)],
    state: drawState(random()),
    click_count: Math.floor(1 / (random() + 1e-6)) - 1,
    created_at: createdAt,
    search_text: searchTextOf(slug, { title, destination_url: destination, notes: null, external_id: null }),
  };
}

const drawState = (drawn: number): LinkState => (drawn < 0.93 ? "active" : drawn < 0.95 ? "paused" : "archived");

export function newUniqueSlug(random: () => number, taken: Set<string>): string {
  for (;;) {
    let slug = "";
    while (slug.length < SLUG_LENGTH) slug += SLUG_ALPHABET.charAt(Math.floor(random() * SLUG_ALPHABET.length));
    if (taken.has(slug)) continue;
    taken.add(slug);
    return slug;
  }
}
