import { z } from "zod";
import { Destination } from "../destination.ts";
import { consoleEndpoint } from "./endpoint.ts";
import { noSudo, reading } from "./sudo.ts";

/** Not SVG, which can contain scripts. */
export const iconTypes = ["image/png", "image/x-icon", "image/gif", "image/jpeg", "image/webp"] as const;
export type IconType = (typeof iconTypes)[number];

export const suggestTitle = consoleEndpoint({
  id: "console.pages.title",
  method: "POST",
  path: "/console/api/page-title",
  summary: "Read the title of the page that a new link would lead to; `null` if there is none, or look-ups are off",
  sudo: noSudo("Reads a public page, and changes nothing."),
  role: "member",
  body: z.strictObject({ destination_url: Destination }),
  status: 200,
  response: z.object({ title: z.string().nullable() }),
  errors: ["destination_blocked"],
});

export const SITE_ICONS_LINKS_MAX = 100;

export const listSiteIcons = consoleEndpoint({
  id: "console.icons.list",
  method: "GET",
  path: "/console/api/site-icons",
  summary: "List the icons of the sites that links lead to, as far as they are known; looks up the others",
  sudo: reading,
  role: "viewer",
  query: z.strictObject({ id: z.array(z.string().max(255)).min(1).max(SITE_ICONS_LINKS_MAX) }),
  status: 200,
  response: z.object({
    data: z.array(
      z.object({
        site: z.string().describe("An origin, such as `https://example.com`."),
        src: z.string().nullable().describe("Where the image is; `null` if the site has none."),
      }),
    ),
    pending: z.boolean().describe("Whether some are still being looked up: ask again in a few seconds."),
  }),
});

export const getSiteIcon = consoleEndpoint({
  id: "console.icons.get",
  method: "GET",
  path: "/console/api/site-icon",
  summary: "Get the icon of a site, by an address from the list",
  sudo: reading,
  role: "viewer",
  query: z.strictObject({
    /** Images can't send the header with the account id. */
    account: z.string().max(255).optional(),
    site: z.string().max(300),
    key: z.string().max(100),
  }),
  status: 200,
  binary: iconTypes,
  errors: ["not_found"],
});
