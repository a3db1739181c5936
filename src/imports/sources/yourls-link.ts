import type { ImportedLink } from "#imports/import-source.ts";
import { FittedTexts } from "./fit-texts.ts";

interface Row {
  readonly url: string;
  readonly title?: string | null | undefined;
  readonly clicks: number;
}

interface Facts {
  readonly keyword: string;
  readonly host: string;
  readonly createdAt: number | null;
  /** Of how many clicks the time is known; the API knows none. */
  readonly logged: number;
}

export function toLink({ url, title, clicks }: Row, { keyword, host, createdAt, logged }: Facts): ImportedLink {
  const texts = new FittedTexts();
  const fields = {
    destination_url: url,
    title: texts.title(title),
    redirect_status: 301,
    forward_query: false,
  } as const;
  if (clicks > logged) texts.lose("clicks that YOURLS only has a total of");
  return {
    sourceId: sourceIdOf(host, keyword),
    slug: keyword,
    host,
    fields,
    state: "active",
    createdAt,
    hadPassword: false,
    usedClicks: 0,
    losses: texts.losses,
  };
}

export const sourceIdOf = (host: string, keyword: string): string => `${host}/${keyword}`;
