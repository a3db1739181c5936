import { formatExact, plural } from "#console/ui/format.ts";
import { locale } from "#console/ui/locale.ts";
import type { ConflictPolicy, ImportState } from "#contract/console/imports.ts";

const list = (items: readonly string[]): string => new Intl.ListFormat(locale).format(items);

const states: Readonly<Record<ImportState, string>> = {
  reading: "Reading",
  checking: "Checking",
  checked: "Ready to import",
  running: "Importing",
  done: "Done",
  cancelled: "Stopped",
  failed: "Failed",
  undoing: "Undoing",
  undone: "Undone",
};

const policies: Readonly<Record<ConflictPolicy, { readonly label: string; readonly note: string }>> = {
  skip: { label: "Leave it out", note: "Your own link stays as it is." },
  suffix: { label: "Add a suffix", note: "The imported link becomes sale-2, for example." },
  fail: { label: "Import nothing", note: "Nothing happens until there are no conflicts." },
};

export const importTexts = {
  /** Of a page for admins only. */
  what: "Imports",
  title: "Bring your links",
  note: "Move links here with their slugs, tags and clicks. First everything is read and checked. Nothing changes until you say so.",
  sourceList: "Where your links are",
  sources: {
    dub: {
      hint: "With an API key of your workspace.",
      token: "In Dub under Settings › API Keys. Read access is enough.",
    },
    bitly: {
      hint: "With an access token of your account.",
      token: "In Bitly under Settings › API.",
    },
    shlink: { hint: "From your server, with an API key.", token: "Create one with “shlink api-key:generate”." },
    kutt: {
      hint: "From your server with an API key, or from a database file.",
      token: "In Kutt under Settings › API.",
    },
    yourls: {
      hint: "From your server with its signature token, or from a database dump, which also has clicks by day.",
      token: "In YOURLS under Tools › Secure passwordless API call.",
    },
    csv: { title: "CSV file", hint: "A table from any service or spreadsheet. You choose what each column is." },
    kurz: {
      hint: "From another Kurz, or from its export: with history, and reports that are equal to the digit.",
      token: "A token of the other account that can read links and analytics.",
    },
  },
  from: (source: string) => `Import from ${source}`,
  back: "All imports",
  place: "Where from",
  places: { url: "From the running service", file: "From a file" },
  address: "Address",
  addressHint: (source: string) => `Where your ${source} runs.`,
  token: "API token",
  tokenHint: "Used to read your links and never stored.",
  tokenAgain: "API token, once more",
  file: "File",
  linksFile: "CSV file with links",
  csvHint: "The first row has the names of the columns.",
  countsFile: "CSV file with clicks by day (optional)",
  countsHint: "Columns: slug, date, clicks, and any of country, referrer, device, browser and os.",
  chooseFile: "Choose file",
  chooseAnother: "Choose another file",
  uploading: "Uploading",
  mapping: "What the columns are",
  mappingNote: "The first rows of the file. Change what was guessed wrong.",
  preview: "Preview of the file",
  fieldOf: (column: string) => `Field of the column ${column}`,
  leftOut: "Left out",
  fields: {
    slug: "Slug",
    short_url: "Short URL",
    destination_url: "Destination",
    title: "Title",
    tags: "Tags",
    notes: "Notes",
    created_at: "Created",
    expires_at: "Expires",
    starts_at: "Starts",
    max_clicks: "Click limit",
    state: "Status",
    clicks: "Clicks",
    id: "ID",
    external_id: "External ID",
  } as Readonly<Record<string, string>>,

  options: "Options",
  onConflict: "If a slug is taken or not allowed here",
  policies,
  domain: "Domain",
  domainHint: "For links whose own domain isn’t yours here.",
  tag: "Tag",
  tagHint: "Added to every imported link, so you can find them. Optional.",
  withClicks: "Import clicks",
  withClicksNote: "As counts by day. They are in all reports over their days.",
  sendsEvents: "Send webhooks",
  sendsEventsNote: "A link.created event for each link, as if you had created it.",
  check: "Read and check",
  checkNote: "Creates nothing yet.",

  steps: states,
  goesOn: "You can leave this page. The import goes on.",
  readProgress: (links: number, counts: string) => `${plural(links, "link")} and ${counts} counts of clicks read`,
  runProgress: (done: number, all: number, clicks: number) =>
    `${formatExact(done)} of ${plural(all, "link")}, ${plural(clicks, "click")}`,
  cancel: "Stop",

  checkedTitle: "What will happen",
  checkedNote: "Nothing has been created yet.",
  outcomes: {
    willCreate: "Links to create",
    created: "Links created",
    clicks: "Clicks added",
    counts: "Counts of clicks to add",
    renamed: "Get another slug",
    renamedNote: "Theirs is taken or not allowed.",
    before: "Imported before",
    beforeNote: "They stay as they are.",
    conflicts: "Slug taken or not allowed",
    conflictsNote: "They are left out.",
    refused: "Can’t be imported",
  },
  hostsTitle: "Short links on other domains",
  hostsNote: (hosts: readonly string[]) =>
    `${list(hosts)} ${hosts.length === 1 ? "isn’t a domain" : "aren’t domains"} of this account. Links from there get your domain here. If you own it, add it first, so that printed and shared links keep working once you point it here.`,
  toDomains: "Add a domain",
  losses: "What can’t be carried over",
  loss: (what: string, links: number) => `${what} (${plural(links, "link")})`,
  run: (links: number) => `Import ${plural(links, "link")}`,
  discard: "Discard",
  /** The server's own words are English. */
  problem: (message: string): string => message,
  problems: "Download problems",

  results: {
    done: "Import done",
    cancelled: "Import stopped",
    failed: "Import failed",
    undone: "Import undone",
  } as Readonly<Partial<Record<ImportState, string>>>,
  showLinks: "Show links",
  resume: "Go on",
  undo: "Undo import",
  askUndo: "Undo this import?",
  askUndoNote: (links: number) =>
    `${plural(links, "link")} that it created and their clicks are deleted for good, with all that you changed since.`,

  history: "Imports",
  createdLinks: (links: number) => `${plural(links, "link")} created`,
  states,
};
