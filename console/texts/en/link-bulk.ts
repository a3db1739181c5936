import { formatExact, plural } from "#console/ui/format.ts";

/** The bar of selected links. */
export const bulkTexts = {
  label: "Selected links",
  clear: "Clear selection",
  selected: (count: number) => `${formatExact(count)} selected`,
  allSelected: (count: number) => `All ${plural(count, "link")} selected`,
  /** With a total as in "10,000+", which may have more than the list shows. */
  totalSelected: (total: string) => `All ${total} selected`,
  selectAll: (total: string) => `Select all ${total}`,
  links: (count: number) => plural(count, "link"),
  totalLinks: (total: string) => `${total} links`,

  moves: {
    pause: {
      doing: "Pausing",
      done: (links: string) => `Paused ${links}. Visitors see “not found” until you resume them.`,
    },
    resume: { doing: "Resuming", done: (links: string) => `Resumed ${links}.` },
    archive: { doing: "Archiving", done: (links: string) => `Archived ${links}.` },
    unarchive: { doing: "Unarchiving", done: (links: string) => `Unarchived ${links}.` },
    restore: { doing: "Restoring", done: (links: string) => `Restored ${links}.` },
    delete: { doing: "Deleting", done: (links: string) => `Moved ${links} to the trash.` },
    erase: { doing: "Deleting", done: (links: string) => `Deleted ${links} for good.` },
  },
  erase: "Delete for good",
  undoing: "Undoing",
  finding: "Finding links",
  found: (doing: string, count: string) => `${doing}: ${count}`,
  progress: (doing: string, done: string, of: string) => `${doing} ${done} of ${of}`,

  deleteAll: {
    title: (total: string) => `Delete ${total} links?`,
    confirm: "Delete links",
    note: (days: number) =>
      `This includes all matching links, even those further down the list. They stop working at once, and stay in the trash for ${days} days.`,
  },
  failed: (count: number) => `${plural(count, "link")} couldn’t be changed:`,
  undoFailed: (count: number, reason: string) => `${plural(count, "link")} couldn’t be changed back: ${reason}`,
  unchanged: "There was nothing to change.",
  moreFailed: (count: number) => `and ${formatExact(count)} more`,
  unanswered: "The server didn’t respond for this link.",

  tags: {
    button: "Tag",
    label: "Tag selected links",
    tagging: "Tagging",
    tagged: (links: string, tag: string) => `Tagged ${links} “${tag}”.`,
    removed: (links: string, tag: string) => `Removed “${tag}” from ${links}.`,
    mode: "What to do",
    modes: { add: "Add", remove: "Remove" },
    findOrCreate: "Find or create a tag",
    find: "Find a tag",
    list: "Tags",
    create: (tag: string) => `Create “${tag}”`,
    none: "No link has a tag yet.",
    noMatch: "No matching tags.",
  },
};
