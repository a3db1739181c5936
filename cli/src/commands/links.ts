import type { Link, LinksListQuery } from "../../../sdk/src/generated.ts";
import { showControls } from "../../../shared/printable-text.ts";
import { type Command, type Context, command, type Input } from "../command.ts";
import { UsageError } from "../exit-codes.ts";
import { findLink } from "../find-link.ts";
import { formatFields, formatTable } from "../table.ts";
import { readExpiry, showTime } from "../times.ts";
import type { View } from "../view.ts";
import { LINK, linkFields, numberOf, tagOption } from "./link-options.ts";

type Choice<K extends keyof LinksListQuery> = NonNullable<LinksListQuery[K]>;

const states = ["active", "paused", "archived", "deleted", "all"] as const satisfies Choice<"state">;
const sorts = [
  ...(["-created_at", "created_at", "-updated_at", "updated_at", "-click_count", "click_count"] as const),
  ...(["-last_clicked_at", "title", "-title"] as const),
] satisfies readonly Choice<"sort">[];
const truths = ["true", "false"] as const;

const list = command({
  name: "links list",
  summary: "List links, newest first",
  options: {
    search: { value: "TEXT", help: "Only links with this in their slug, title, destination or notes." },
    state: {
      value: "STATE",
      help: "Only links in this state. Active and paused ones by default.",
      many: true,
      choices: states,
    },
    tag: tagOption("Only links with this tag."),
    domain: { value: "DOMAIN", help: "Only links on this domain." },
    destination: { value: "URL", help: "Only links that lead exactly there." },
    expired: { value: "BOOLEAN", help: "Only links that have expired, or haven't.", choices: truths },
    blocked: { value: "BOOLEAN", help: "Only links that the operator has blocked, or hasn't.", choices: truths },
    "created-after": { value: "TIME", help: "Only links created at or after this timestamp." },
    "created-before": { value: "TIME", help: "Only links created before this timestamp." },
    sort: { value: "ORDER", help: "The order; a leading - means descending.", choices: sorts },
    limit: { value: "N", help: "So many links per page. 25 by default, 100 at most." },
    cursor: { value: "CURSOR", help: "The next page, as the page before names it." },
    all: { help: "All pages." },
  },
  run: listLinks,
  print({ data, next_cursor }, view) {
    if (data.length === 0) return "No matching links.";
    const columns = [
      { head: "SHORT LINK" },
      { head: "CLICKS", align: "right" },
      { head: "STATE" },
      { head: "DESTINATION", shrinks: true },
      { head: "TITLE", shrinks: true },
    ] as const;
    const rows = data.map((link) => [
      shortAddress(link),
      link.click_count.toLocaleString("en-US"),
      stateOf(link),
      link.destination_url,
      link.title ?? "",
    ]);
    const table = formatTable(columns, rows, view);
    return next_cursor === null ? table : `${table}\n\nThere are more: --all, or --cursor ${showControls(next_cursor)}`;
  },
});

async function listLinks(
  context: Context,
  input: Input,
): Promise<{ data: readonly Link[]; next_cursor: string | null }> {
  const truth = (name: string): boolean | undefined => {
    const text = input.text(name);
    return text === undefined ? undefined : text === "true";
  };
  const several = (name: string): readonly string[] | undefined =>
    input.texts(name).length > 0 ? input.texts(name) : undefined;
  const query: LinksListQuery = {
    q: input.text("search"),
    // Checked against the choices.
    state: several("state") as LinksListQuery["state"],
    sort: input.text("sort") as LinksListQuery["sort"],
    tag: several("tag"),
    domain: input.text("domain"),
    destination_url: input.text("destination"),
    expired: truth("expired"),
    blocked: truth("blocked"),
    created_after: input.text("created-after"),
    created_before: input.text("created-before"),
    limit: numberOf(input, "limit"),
    cursor: input.text("cursor"),
  };
  if (!input.flag("all")) {
    const { data, next_cursor } = await context.kurz().links.list(query);
    return { data, next_cursor };
  }
  const data: Link[] = [];
  for await (const link of context.kurz().links.all({ limit: 100, ...query })) data.push(link);
  return { data, next_cursor: null };
}

const show = command({
  name: "links show",
  summary: "Show a link",
  positionals: [LINK],
  run: (context, { positionals: [name = ""] }) => findLink(context.kurz(), name),
  print: describeLink,
});

const update = command({
  name: "links update",
  summary: "Change a link",
  notes: "What you leave out stays as it is. An empty text clears a field.",
  positionals: [LINK],
  options: {
    url: { value: "URL", help: "Where the link leads." },
    ...linkFields,
    tag: tagOption("Add this tag."),
    untag: tagOption("Remove this tag."),
  },
  async run(context, input) {
    const kurz = context.kurz();
    const fields = changedFields(input);
    const [add, remove] = [input.texts("tag"), input.texts("untag")];
    const hasTags = add.length + remove.length > 0;
    const hasFields = Object.keys(fields).length > 0;
    if (!hasTags && !hasFields) throw new UsageError("nothing to change; see kurz links update --help");
    const found = await findLink(kurz, input.positionals[0] ?? "");
    const changed = hasFields ? await kurz.links.update(found.id, fields, { ifMatch: found.version }) : found;
    return hasTags ? kurz.links.tags(found.id, { add, remove }, { ifMatch: changed.version }) : changed;
  },
  print: describeLink,
});

function changedFields(input: Input): Readonly<Record<string, string | number | null>> {
  const text = (name: string): string | null | undefined => (input.text(name) === "" ? null : input.text(name));
  const expires = input.text("expires");
  const fields = {
    destination_url: input.text("url"),
    title: text("title"),
    notes: text("notes"),
    expires_at: expires === undefined ? undefined : expires === "" ? null : readExpiry(expires),
    max_clicks: input.text("max-clicks") === "" ? null : numberOf(input, "max-clicks"),
  };
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

type Action = "pause" | "resume" | "archive" | "unarchive" | "restore";

const actions: Readonly<Record<Action, { readonly summary: string; readonly done: string }>> = {
  pause: { summary: "Pause links: they stop redirecting until you resume them", done: "paused" },
  resume: { summary: "Resume paused links", done: "active again" },
  archive: { summary: "Archive links", done: "archived" },
  unarchive: { summary: "Bring archived links back", done: "back from the archive" },
  restore: { summary: "Restore deleted links from the trash", done: "restored" },
};

const actionCommands: readonly Command[] = Object.entries(actions).map(([action, { summary, done }]) =>
  command({
    name: `links ${action}`,
    summary,
    positionals: [{ ...LINK, many: true }],
    run: (context, { positionals }) =>
      forEach(positionals, async (name) => {
        const { id } = await findLink(context.kurz(), name, { isDeleted: action === "restore" });
        return context.kurz().links[action as Action](id);
      }),
    print: ({ data }) => data.map((link) => `${shortAddress(link)} is ${done}.`).join("\n"),
  }),
);

const remove = command({
  name: "links delete",
  summary: "Delete links: they go to the trash, from where they can be restored for 30 days",
  positionals: [{ ...LINK, many: true }],
  options: {
    yes: { help: "Don't ask." },
    permanent: { help: "Erase the links and their clicks at once. This can't be undone." },
  },
  async run(context, input) {
    const isPermanent = input.flag("permanent");
    const links = (await forEach(input.positionals, (name) => findLink(context.kurz(), name))).data;
    if (!input.flag("yes")) await confirm(context, links, isPermanent);
    return forEach(links, async ({ id, short_url }) => {
      await context.kurz().links.delete(id, isPermanent ? { permanent: true } : {});
      return { id, short_url, permanent: isPermanent };
    });
  },
  print: ({ data }) =>
    data
      .map(({ short_url, permanent }) => `${withoutScheme(short_url)} is ${permanent ? "erased" : "in the trash"}.`)
      .join("\n"),
});

async function confirm({ io }: Context, links: readonly Link[], isPermanent: boolean): Promise<void> {
  if (!io.inIsTerminal) throw new UsageError("standard input is no terminal; use --yes to delete without being asked");
  const names = links.map(shortAddress).join(", ");
  const answer = await io.ask(`Delete ${names}${isPermanent ? " and all clicks, for good" : ""}? [y/N] `);
  if (!/^y(?:es)?$/i.test(answer.trim())) throw new UsageError("nothing was deleted");
}

/** One after the other; the first that fails ends it. */
async function forEach<T, R>(all: readonly T[], act: (one: T) => Promise<R>): Promise<{ readonly data: readonly R[] }> {
  const data: R[] = [];
  for (const one of all) data.push(await act(one));
  return { data };
}

const withoutScheme = (url: string): string => showControls(url.replace(/^https?:\/\//, ""));
export const shortAddress = ({ short_url }: Pick<Link, "short_url">): string => withoutScheme(short_url);

function stateOf({ state, expired, blocked, exhausted, scheduled }: Link): string {
  if (blocked !== null) return "blocked";
  if (state !== "active") return state;
  return expired || exhausted ? "expired" : scheduled ? "scheduled" : state;
}

function describeLink(link: Link, view: View): string {
  const time = (instant: string | null): string => showTime(instant, view.timeZone);
  const fields: [string, string][] = [
    ["Short link", link.short_url],
    ["Destination", link.destination_url],
    ["Title", link.title ?? ""],
    ["State", stateOf(link)],
    ["Tags", link.tags.join(", ")],
    ["Clicks", link.click_count.toLocaleString("en-US")],
    ["Last click", time(link.last_clicked_at)],
    ["Expires", time(link.expires_at)],
    ["Max. clicks", link.max_clicks?.toLocaleString("en-US") ?? ""],
    ["Rules", link.rules.length > 0 ? String(link.rules.length) : ""],
    ["Notes", link.notes ?? ""],
    ["Created", time(link.created_at)],
    ["Id", link.id],
  ];
  return formatFields(
    fields.filter(([, value]) => value !== ""),
    view,
  );
}

export const linkCommands: readonly Command[] = [list, show, update, ...actionCommands, remove];
