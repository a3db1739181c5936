import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Link2 } from "lucide-react";
import { useWorkspace } from "#console/api/session.tsx";
import { SEARCH_CHARACTERS_MIN } from "#console/links/link-list-search.ts";
import { useDebounced } from "#console/ui/debounce.ts";
import { formatAddress } from "#console/ui/format.ts";
import type { Link } from "#contract/link-record.ts";
import { listLinks } from "#contract/links.ts";
import { showAddress } from "#shared/shown-host.ts";
import { paletteTexts as texts } from "#texts/palette.ts";
import type { LinkVerb } from "./link-verbs.tsx";
import { matchCommands } from "./match-commands.ts";
import { type Command, useOwnCommands } from "./own-commands.tsx";

const SETTLE_MS = 150;
const FOUND_MAX = 8;

interface Found {
  readonly commands: readonly Command[];
  /** The links of this text are still to come; until then, those of the text before are on screen. */
  readonly isSearching: boolean;
}

/** What a text finds: commands, then links. Once it is chosen what to do with a link, links alone. */
export function useCommands(text: string, verb: LinkVerb | null, choose: (verb: LinkVerb) => void): Found {
  const { account } = useWorkspace();
  const navigate = useNavigate();
  const own = useOwnCommands(choose);
  const { links, isSearching } = useFoundLinks(text.trim(), verb !== null);
  const edit = (link: Link) =>
    void navigate({ to: "/a/$account/links", params: { account: account.id }, search: { edit: link.id } });
  const found = links.map(
    (link): Command => ({
      id: link.id,
      group: verb?.label ?? texts.groups.links,
      label: link.title ?? formatAddress(link.short_url),
      note: link.title === null ? formatAddress(showAddress(link.destination_url).text) : formatAddress(link.short_url),
      icon: <Link2 aria-hidden />,
      isOutdated: isSearching,
      run: () => (verb ? verb.run(link, account.id, (options) => void navigate(options)) : edit(link)),
    }),
  );
  return { commands: verb ? found : [...matchCommands(own, text), ...found], isSearching };
}

/** Too short a text finds nothing, or the newest ones where a link is asked for. */
function useFoundLinks(
  text: string,
  isAsked: boolean,
): { readonly links: readonly Link[]; readonly isSearching: boolean } {
  const { account, call } = useWorkspace();
  const settled = useDebounced(text, SETTLE_MS);
  const toQuery = (words: string) => ([...words].length >= SEARCH_CHARACTERS_MIN ? words : undefined);
  const q = toQuery(settled);
  const { data, isLoading, isPlaceholderData } = useQuery({
    queryKey: ["palette", account.id, q],
    queryFn: ({ signal }) => call(listLinks, { query: { q, state: ["all"], limit: FOUND_MAX }, signal }),
    enabled: isAsked || q !== undefined,
    placeholderData: keepPreviousData,
  });
  const isWanted = isAsked || toQuery(text) !== undefined;
  return {
    links: isWanted ? (data?.data ?? []) : [],
    isSearching: isWanted && (q !== toQuery(text) || isLoading || isPlaceholderData),
  };
}
