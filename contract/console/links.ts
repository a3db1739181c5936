import { z } from "zod";
import { ToldClick } from "../told-click.ts";
import { consoleEndpoint } from "./endpoint.ts";
import { noSudo, reading } from "./sudo.ts";

export const listTags = consoleEndpoint({
  id: "console.tags.list",
  method: "GET",
  path: "/console/api/tags",
  summary: "The tags in use, most used first",
  sudo: reading,
  role: "viewer",
  query: z.strictObject({ q: z.string().max(50).optional() }),
  status: 200,
  response: z.object({ data: z.array(z.object({ tag: z.string(), links: z.int() })) }),
});

export const listLinkNames = consoleEndpoint({
  id: "console.links.names",
  method: "GET",
  path: "/console/api/link-names",
  summary: "What people know links by; unknown ids are left out",
  sudo: reading,
  role: "viewer",
  query: z.strictObject({ id: z.array(z.string().max(255)).min(1).max(100) }),
  status: 200,
  response: z.object({ data: z.array(z.object({ id: z.string(), slug: z.string(), title: z.string().nullable() })) }),
});

export const checkSlug = consoleEndpoint({
  id: "console.slugs.check",
  method: "GET",
  path: "/console/api/slugs/{slug}",
  summary: "Whether a slug can still be had",
  sudo: reading,
  role: "member",
  params: z.strictObject({ slug: z.string().max(255) }),
  status: 200,
  response: z.object({ available: z.boolean(), problem: z.string().nullable() }),
});

/** A download or an event stream cannot send the header that names the account. */
const account = z.string().max(255).optional();

export const exportLinks = consoleEndpoint({
  id: "console.links.export",
  method: "GET",
  path: "/console/api/export/links",
  summary: "Every link of the account as a file",
  sudo: noSudo("Reads only: the same links as the list, which every member sees."),
  role: "viewer",
  query: z.strictObject({ account, format: z.enum(["csv", "json"]).default("csv") }),
  status: 200,
  streams: ["text/csv", "application/json"],
});

export const watchClicks = consoleEndpoint({
  id: "console.clicks.live",
  method: "GET",
  path: "/console/api/live",
  summary: "People's clicks as they happen: server-sent events named `click`, each with a LiveClick as its data",
  sudo: reading,
  role: "viewer",
  query: z.strictObject({ account }),
  status: 200,
  streams: ["text/event-stream"],
});

/** One line of the stream of clicks as they happen. */
export const LiveClick = ToldClick.extend({
  link: z.object({ id: z.string(), slug: z.string(), title: z.string().nullable() }),
});
export type LiveClick = z.output<typeof LiveClick>;
