import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { askTogether } from "#console/api/ask-together.ts";
import { call } from "#console/api/call.ts";
import { useWorkspace } from "#console/api/session.tsx";
import { classes } from "#console/ui/classes.ts";
import { useMedia } from "#console/ui/media.ts";
import { listSiteIcons, SITE_ICONS_LINKS_MAX } from "#contract/console/pages.ts";
import type { Link } from "#contract/link-record.ts";

/** Where the icon of each site is, or `null` if it has none; the server doesn't know the others yet. */
type Icons = ReadonlyMap<string, string | null>;

const ASKED_MAX = 5;
const ASK_AGAIN_MS = 1500;

const askIcons = askTogether<Icons>({
  most: SITE_ICONS_LINKS_MAX,
  async ask(id, accountId) {
    const { data } = await call(listSiteIcons, { query: { id: [...id] } }, accountId);
    return new Map(data.map(({ site, src }) => [site, src]));
  },
});

function useIcon({ id, destination_url }: Link, enabled: boolean): string | null {
  const { account } = useWorkspace();
  const site = new URL(destination_url).origin;
  const { data } = useQuery({
    queryKey: ["site-icon", account.id, site],
    queryFn: async () => ({ src: (await askIcons(id, account.id)).get(site) }),
    enabled,
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state: { data, dataUpdateCount: asked } }) =>
      data && data.src === undefined && asked < ASKED_MAX && ASK_AGAIN_MS * 2 ** asked,
  });
  return data?.src ?? null;
}

/** The icon of the site that a link leads to, over its letter. What never arrives leaves the letter in sight. */
export function SiteIcon({ link }: { readonly link: Link }) {
  // As the tile it lies on.
  const isWide = useMedia("(width >= 40rem)");
  const src = useIcon(link, isWide);
  const [loaded, setLoaded] = useState<string | null>(null);
  if (src === null || !isWide) return null;
  return (
    <img
      src={src}
      alt=""
      decoding="async"
      onLoad={() => setLoaded(src)}
      className={classes(
        "absolute inset-0 size-full rounded-lg bg-plate object-contain p-2 ring-1 ring-plate-line ring-inset transition-opacity",
        loaded !== src && "opacity-0",
      )}
    />
  );
}
