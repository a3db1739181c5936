import { plural } from "#console/ui/format.ts";

export const linkTexts = {
  title: "Links",
  create: "Create link",
  loading: "Loading links",
  copyShort: "Copy short link",
  copy: (url: string) => `Copy ${url}`,
  copiedUrl: (url: string) => `Copied ${url}`,
  lookAlike:
    "The site’s name contains letters that look like others, so it’s shown in its technical form (xn--…). It may imitate another site.",

  none: {
    title: "No links yet",
    paste: "Paste a long address anywhere on this page, and get a short one that you can change, pause and measure.",
    others: "Links your team creates appear here.",
    create: "Create your first link",
    /** Where there are some all the same, as in "Trash: 3 links". */
    elsewhere: {
      archived: (links: string) => `Archive: ${links}`,
      deleted: (links: string) => `Trash: ${links}`,
    },
  },
  emptyTrash: {
    title: "The trash is empty",
    note: (days: number) => `Deleted links stay here for ${days} days, so you can restore them.`,
  },
  noMatch: {
    title: "No link matches",
    note: "Try fewer filters or different words. Archived and deleted links only appear if you filter for them.",
    clear: "Clear filters",
  },

  count: {
    label: "Number of links",
    links: (count: number) => plural(count, "link"),
    /** As in "10,000+". */
    atLeast: (figure: string) => `${figure} links`,
    of: (shown: string, all: string) => `${shown} of ${all}`,
    selectAll: "Select all links",
  },

  row: {
    select: (slug: string) => `Select ${slug}`,
    edit: "Edit",
    editSlug: (slug: string) => `Edit ${slug}:`,
    showSlug: (slug: string) => `Show ${slug}:`,
    created: (instant: string) => `Created ${instant}`,
    deleted: (instant: string) => `Deleted ${instant}`,
    /** With a day, or a month and its year. */
    ends: (day: string) => `Ends ${day}`,
    expires: (instant: string) => `Expires ${instant}`,
  },
  clicks: {
    /** Beside the figure. */
    word: (count: number): string => (count === 1 ? "click" : "clicks"),
    report: (count: number, slug: string) => `${plural(count, "click")} in total: report of ${slug}`,
    /** What the pointer shows, in lines. */
    total: (count: number) => `${plural(count, "click")} in total`,
    days: "Line: last 30 days",
    last: (instant: string) => `Last click: ${instant}`,
    open: "Click to open the report",
  },
  badge: {
    blocked: "Blocked",
    archived: "Archived",
    expired: "Expired",
    exhausted: "Used up",
    paused: "Paused",
    scheduled: "Scheduled",
    daysLeft: (days: number) => `${plural(days, "day")} left`,
    password: "Password-protected",
    rules: (count: number) => plural(count, "rule"),
  },

  menu: {
    label: (slug: string) => `Actions for ${slug}`,
    edit: "Edit",
    duplicate: "Duplicate",
    report: "Report",
    qr: "QR code",
    history: "History",
    preview: "Preview",
    erase: "Delete for good",
  },
  moves: {
    pause: {
      label: "Pause",
      done: (slug: string) => `Paused /${slug}. Visitors see “not found” until you resume it.`,
    },
    resume: { label: "Resume", done: (slug: string) => `Resumed /${slug}.` },
    archive: { label: "Archive", done: (slug: string) => `Archived /${slug}.` },
    unarchive: { label: "Unarchive", done: (slug: string) => `Unarchived /${slug}.` },
    restore: { label: "Restore", done: (slug: string) => `Restored /${slug}.` },
    delete: { label: "Delete", done: (slug: string) => `Moved /${slug} to the trash.` },
  },
  pauseHint: "Visitors of a paused link see “not found”.",
  erased: (slug: string) => `Deleted /${slug} for good.`,

  search: {
    label: "Search links",
    placeholder: "Short link, title, destination, notes",
    clear: "Clear search",
    tooShort: (characters: number) => `Type ${characters} characters or more.`,
  },
  filters: {
    clear: "Clear",
    status: "Status",
    statusNone: "Active and paused",
    statuses: {
      active: "Active",
      paused: "Paused",
      archived: "Archived",
      expired: "Expired",
      blocked: "Blocked",
      all: "All links",
      deleted: "Trash",
    },
    domain: "Domain",
    domainNone: "All domains",
    created: "Created",
    createdNone: "Any time",
    ages: {
      today: "Today",
      "7d": "Last 7 days",
      "30d": "Last 30 days",
      "90d": "Last 90 days",
      "365d": "Last 12 months",
    },
    lastMonth: "Last month",
    customRange: "Custom range…",
    sort: "Sort",
    sorts: {
      "-created_at": "Newest first",
      created_at: "Oldest first",
      "-updated_at": "Recently updated",
      updated_at: "Least recently updated",
      "-click_count": "Most clicks",
      click_count: "Fewest clicks",
      "-last_clicked_at": "Recently clicked",
      title: "Title A–Z",
      "-title": "Title Z–A",
    },
  },
  tags: {
    label: "Tags",
    any: "Tags: any",
    chosen: (tags: string) => `Tags: ${tags}`,
    find: "Find a tag",
    none: "No link has a tag yet.",
    counts: "Counts include archived links.",
    noMatch: "No matching tags.",
  },
  display: {
    label: "Display",
    rows: "Rows",
    comfortable: "Comfortable",
    compact: "Compact",
    show: "Show",
    columns: { tags: "Tags", chart: "Clicks of the last 30 days", created: "When it was created" },
  },
  views: {
    label: "Views",
    chosen: (name: string) => `Views: ${name}`,
    saved: "Saved views",
    delete: (name: string) => `Delete view ${name}`,
    name: "View name",
    saveAs: "Save this list as",
    save: "Save",
    isSaved: "You’re looking at a saved view.",
    howTo: "Filter or sort the list to save it as a view.",
    keptHere: "Views are saved in this browser only.",
  },
};
