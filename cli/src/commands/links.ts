import type { Link, LinksListQuery } from "../../../sdk/src/generated.ts";
import { showControls } from "../../../shared/printable-text.ts";
import { type Command, type Context, command, type Input, type ListedState } from "../command.ts";
import { type ItemFailure, SomeFailed, UsageError } from "../exit-codes.ts";
import { findLink } from "../find-link.ts";
import { formatFields, formatTable } from "../table.ts";
import { readExpiry, readPast, showTime } from "../times.ts";
import type { View } from "../view.ts";
import { LINK, linkFields, linkIn, numberOf, tagOption } from "./link-options.ts";

type Choice<K extends keyof LinksListQuery> = NonNullable<LinksListQuery[K]>;

const states = ["active", "paused", "archived", "deleted", "all"] as const satisfies Choice<"state">;
const sorts = [
  ...(["-created_at", "created_at", "-updated_at", "updated_at", "-click_count", "click_count"] as const),
  ...(["-last_clicked_at", "title", "-title"] as const),
] satisfies readonly Choice<"sort">[];
const truths = ["true", "false"] as const;
const PAGE_MAX = 100;

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
    "created-after": {
      value: "TIME",
      help: "Only links created at or after this: 7d (ago), 2027-01-31, or a timestamp.",
    },
    "created-before": { value: "TIME", help: "Only links created before this." },
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
    return next_cursor === null ? table : `${table}\n\nThere are more: --all, or --cursor ${next_cursor}`;
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
  const past = (name: string): string | undefined => {
    const text = input.text(name);
    return text === undefined ? undefined : readPast(name, text);
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
    created_after: past("created-after"),
    created_before: past("created-before"),
    limit: numberOf(input, "limit"),
    cursor: input.text("cursor"),
  };
  if (!input.flag("all")) {
    const { data, next_cursor } = await context.kurz().links.list(query);
    return { data, next_cursor };
  }
  const data: Link[] = [];
  for await (const link of context.kurz().links.all({ ...query, limit: query.limit ?? PAGE_MAX })) data.push(link);
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
    const [added, removed] = [input.texts("tag"), input.texts("untag").map(foldCase)];
    const hasTags = added.length + removed.length > 0;
    if (!hasTags && Object.keys(fields).length === 0) {
      throw new UsageError("nothing to change; see kurz links update --help");
    }
    const { id, version, tags } = await findLink(kurz, input.positionals[0] ?? "");
    const kept = tags.filter((tag) => !removed.includes(foldCase(tag)));
    // In one request, so that either everything changes or nothing does.
    const patch = hasTags ? { ...fields, tags: [...kept, ...added] } : fields;
    return kurz.links.update(id, patch, { ifMatch: version });
  },
  print: describeLink,
});

/** Tags that differ only in case are the same. */
const foldCase = (tag: string): string => tag.normalize("NFC").toLowerCase();

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

interface ActionWords {
  readonly summary: string;
  readonly done: string;
  /** The states that it changes. */
  readonly from: readonly ListedState[];
}

const actions: Readonly<Record<Action, ActionWords>> = {
  pause: {
    summary: "Pause links: they stop redirecting until you resume them",
    done: "paused",
    from: ["active"],
  },
  resume: { summary: "Resume paused links", done: "active again", from: ["paused"] },
  archive: { summary: "Archive links", done: "archived", from: ["active", "paused"] },
  unarchive: { summary: "Bring archived links back", done: "back from the archive", from: ["archived"] },
  restore: { summary: "Restore deleted links from the trash", done: "restored", from: ["deleted"] },
};

const actionCommands: readonly Command[] = Object.entries(actions).map(([action, { summary, done, from }]) =>
  command({
    name: `links ${action}`,
    summary,
    positionals: [{ ...linkIn(...from), many: true }],
    run: (context, { positionals }) =>
      forEach(positionals, String, async (name) => {
        const { id } = await findLink(context.kurz(), name, { isDeleted: action === "restore" });
        return context.kurz().links[action as Action](id);
      }),
    print: ({ data }) => data.map((link) => `${shortAddress(link)} is ${done}.`).join("\n"),
  }),
);

const remove = command({
  name: "links delete",
  summary: "Delete links: they go to the trash, from where they can be restored for 30 days",
  notes: "If one of several can't be found, none is deleted.",
  positionals: [{ ...LINK, many: true }],
  options: {
    yes: { help: "Don't ask." },
    permanent: { help: "Erase the links and their clicks at once. This can't be undone." },
  },
  async run(context, input) {
    const isPermanent = input.flag("permanent");
    const { data: links, failures } = await tryEach(input.positionals, String, (name) =>
      findLink(context.kurz(), name),
    );
    if (failures.length > 0) throw new SomeFailed({ data: [] }, failures);
    if (!input.flag("yes")) await confirm(context, links, isPermanent);
    return forEach(links, shortAddress, async ({ id, short_url }) => {
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
  const names = showControls(links.map(shortAddress).join(", "));
  const answer = await io.ask(`Delete ${names}${isPermanent ? " and all clicks, for good" : ""}? [y/N] `);
  if (!/^y(?:es)?$/i.test(answer.trim())) throw new UsageError("nothing was deleted");
}

interface Attempts<R> {
  readonly data: readonly R[];
  readonly failures: readonly ItemFailure[];
}

/** One after the other; one that fails doesn't keep the next from being tried. */
async function tryEach<T, R>(
  all: readonly T[],
  nameOf: (one: T) => string,
  act: (one: T) => Promise<R>,
): Promise<Attempts<R>> {
  const data: R[] = [];
  const failures: ItemFailure[] = [];
  for (const one of all) {
    try {
      data.push(await act(one));
    } catch (error) {
      if (all.length === 1) throw error;
      failures.push({ name: nameOf(one), error });
    }
  }
  return { data, failures };
}

/** The same, where some that fail make the whole fail. */
async function forEach<T, R>(...attempt: Parameters<typeof tryEach<T, R>>): Promise<{ readonly data: readonly R[] }> {
  const { data, failures } = await tryEach<T, R>(...attempt);
  if (failures.length > 0) throw new SomeFailed({ data }, failures);
  return { data };
}

const withoutScheme = (url: string): string => url.replace(/^https?:\/\//, "");
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
