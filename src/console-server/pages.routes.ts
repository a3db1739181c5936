import { getSiteIcon, listSiteIcons, suggestTitle } from "#contract/console/pages.ts";
import { BinaryResult } from "#contract/endpoint.ts";
import { type Route, route } from "#http/route.ts";
import { notFound } from "#kernel/api-error.ts";
import type { Clock } from "#kernel/clock.ts";
import { linkBodyCheck } from "#links/check-link-body.ts";
import type { PageService } from "#pages/pages.service.ts";
import type { DestinationRules } from "#shared/destination-rules.ts";
import type { ConsoleCaller } from "./console-caller.ts";

type Me = ConsoleCaller;

const WEEK_SECONDS = 7 * 86_400;

/** What the pages that links lead to look like, as far as the console shows it. */
export const pageRoutes = (pages: PageService, rules: DestinationRules, clock: Clock): readonly Route<Me>[] => [
  route(suggestTitle, async (me: Me, { body }) => ({ title: await pages.titleOf(me, body.destination_url) }), {
    checkBody: linkBodyCheck(rules, clock),
  }),
  route(listSiteIcons, async (me: Me, { query }) => {
    const { data, pending } = await pages.iconsOf(me, query.id);
    return { data: data.map(({ site, key }) => ({ site, src: key && srcOf(me, site, key) })), pending };
  }),
  route(getSiteIcon, async (me: Me, { query: { site, key } }) => {
    const icon = await pages.findIcon(me, { site, key });
    if (!icon) throw notFound();
    const { type, bytes, hash } = icon;
    const headers = { "cache-control": `private, max-age=${WEEK_SECONDS}` };
    return new BinaryResult({ mediaType: type, tag: hash, headers, read: async () => bytes });
  }),
];

const srcOf = ({ accountId: account }: Me, site: string, key: string): string =>
  `${getSiteIcon.path}?${new URLSearchParams({ account, site, key })}`;
