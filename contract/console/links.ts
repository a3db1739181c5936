import { z } from "zod";
import { Instant, Timestamp } from "../fields.ts";
import { Link, LinkCreate, TagChange } from "../link-record.ts";
import { linkActions } from "../links.ts";
import { PublicClick } from "../public-click.ts";
import { LinkVisit, Resolution } from "../resolve.ts";
import { TagColor } from "../tags.ts";
import { consoleEndpoint } from "./endpoint.ts";
import { everydayWork, noSudo, reading } from "./sudo.ts";

/** What people recognise a link by. */
const LinkName = z.object({
  id: z.string(),
  domain: z.string().nullable().describe("`null` on the instance's own."),
  slug: z.string(),
  title: z.string().nullable(),
});
export type LinkName = z.output<typeof LinkName>;

export const listTags = consoleEndpoint({
  id: "console.tags.list",
  method: "GET",
  path: "/console/api/tags",
  summary: "List tags in use, most used first",
  sudo: reading,
  role: "viewer",
  query: z.strictObject({ q: z.string().max(50).optional() }),
  status: 200,
  response: z.object({ data: z.array(z.object({ tag: z.string(), links: z.int() })) }),
});

export const listTagColors = consoleEndpoint({
  id: "console.tags.colors",
  method: "GET",
  path: "/console/api/tag-colors",
  summary: "List the tags that have a color",
  sudo: reading,
  role: "viewer",
  status: 200,
  response: z.object({ data: z.array(z.object({ tag: z.string(), color: TagColor })) }),
});

export const listLinkNames = consoleEndpoint({
  id: "console.links.names",
  method: "GET",
  path: "/console/api/link-names",
  summary: "Look up domains, slugs and titles by link id; skips unknown ids",
  sudo: reading,
  role: "viewer",
  query: z.strictObject({ id: z.array(z.string().max(255)).min(1).max(100) }),
  status: 200,
  response: z.object({ data: z.array(LinkName) }),
});

export const LINK_DAYS_LINKS_MAX = 100;

export const listLinkDays = consoleEndpoint({
  id: "console.links.days",
  method: "GET",
  path: "/console/api/link-days",
  summary: "Clicks of the last 30 days by link id, oldest UTC day first; skips links without clicks and unknown ids",
  sudo: reading,
  role: "viewer",
  query: z.strictObject({ id: z.array(z.string().max(255)).min(1).max(LINK_DAYS_LINKS_MAX) }),
  status: 200,
  response: z.object({ data: z.array(z.object({ id: z.string(), clicks: z.array(z.int()) })) }),
});

export const checkSlug = consoleEndpoint({
  id: "console.slugs.check",
  method: "GET",
  path: "/console/api/slugs/{slug}",
  summary: "Check whether a slug is available",
  sudo: reading,
  role: "member",
  params: z.strictObject({ slug: z.string().max(255) }),
  query: z.strictObject({ domain: z.string().max(253).optional() }),
  status: 200,
  response: z.object({ available: z.boolean(), problem: z.string().nullable() }),
  errors: ["domain_not_verified"],
});

/** A visit of a link that isn't created yet, with what decides where its visitors go. */
const NewLinkVisit = LinkVisit.extend(
  LinkCreate.pick({ destination_url: true, domain: true, utm: true, forward_query: true, forward_path: true }).shape,
);
export type NewLinkVisit = z.output<typeof NewLinkVisit>;

export const resolveNewLink = consoleEndpoint({
  id: "console.links.resolve",
  method: "POST",
  path: "/console/api/resolve",
  summary: "Try a visit of a link that isn't created yet",
  sudo: reading,
  role: "member",
  body: NewLinkVisit,
  status: 200,
  response: Resolution,
  errors: ["destination_blocked", "domain_not_verified"],
});

/** So many links are changed by one request. */
export const LINKS_CHANGED_MAX = 100;
const LinkIds = z.array(z.string().max(255)).min(1).max(LINKS_CHANGED_MAX);

const ChangedLink = z.object({
  id: z.string(),
  link: Link.nullable().describe("`null` if it was erased or couldn't be changed."),
  problem: z
    .object({ code: z.string(), message: z.string(), details: z.record(z.string(), z.unknown()).optional() })
    .nullable()
    .describe("Why it couldn't be changed: the error that a call for this link alone would return."),
});
export type ChangedLink = z.output<typeof ChangedLink>;
const ChangedLinks = z.object({ data: z.array(ChangedLink) });

export const actOnLinks = consoleEndpoint({
  id: "console.links.act",
  method: "POST",
  path: "/console/api/links/actions",
  summary: "Pause, resume, archive, unarchive, delete, restore or erase several links, each as if alone",
  sudo: everydayWork,
  role: "member",
  body: z.strictObject({ ids: LinkIds, action: z.enum([...linkActions, "delete", "restore", "erase"]) }),
  status: 200,
  response: ChangedLinks,
});

export const tagLinks = consoleEndpoint({
  id: "console.links.tag",
  method: "POST",
  path: "/console/api/links/tags",
  summary: "Add and remove tags of several links, each as if alone",
  sudo: everydayWork,
  role: "member",
  body: TagChange.extend({ ids: LinkIds }),
  status: 200,
  response: ChangedLinks,
});

/** Downloads and event streams can't send the header with the account id. */
const account = z.string().max(255).optional();

export const exportLinks = consoleEndpoint({
  id: "console.links.export",
  method: "GET",
  path: "/console/api/export/links",
  summary: "Download all links as a file",
  sudo: noSudo("Read-only: the same links as in the list, which every member sees."),
  role: "viewer",
  query: z.strictObject({ account, format: z.enum(["csv", "json"]).default("csv") }),
  status: 200,
  streams: ["text/csv", "application/json"],
});

export const watchClicks = consoleEndpoint({
  id: "console.clicks.live",
  method: "GET",
  path: "/console/api/live",
  summary: "Stream clicks as they happen: server-sent events named `click`, each with a LiveClick as its data",
  sudo: reading,
  role: "viewer",
  query: z.strictObject({ account }),
  status: 200,
  streams: ["text/event-stream"],
});

/** One event of the click stream. */
export const LiveClick = PublicClick.extend({ link: LinkName });
export type LiveClick = z.output<typeof LiveClick>;

const LinkEvent = z.object({
  at: Timestamp,
  /** As in the audit log: `link.paused`, `link.updated`. */
  action: z.string(),
  /** The names of the fields that an update changed. */
  fields: z.array(z.string()),
});
export type LinkEvent = z.output<typeof LinkEvent>;

export const LINK_EVENTS_MAX = 200;

export const listLinkEvents = consoleEndpoint({
  id: "console.links.events",
  method: "GET",
  path: "/console/api/links/{id}/events",
  summary: "List the changes of a link within a time range, newest first, without who made them",
  sudo: reading,
  role: "viewer",
  params: z.strictObject({ id: z.string().max(255) }),
  query: z.strictObject({ from: Instant, to: Instant }),
  status: 200,
  response: z.object({ data: z.array(LinkEvent).max(LINK_EVENTS_MAX) }),
});
