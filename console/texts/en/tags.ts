import { plural } from "#console/ui/format.ts";
import type { TagColor } from "#contract/tags.ts";

const colors: Readonly<Record<TagColor, string>> = {
  gray: "Gray",
  red: "Red",
  orange: "Orange",
  yellow: "Yellow",
  green: "Green",
  teal: "Teal",
  blue: "Blue",
  purple: "Purple",
  pink: "Pink",
};

export const tagTexts = {
  title: "Tags",
  note: "Rename a tag on all of its links, merge two, or choose a color.",
  none: "No tags yet",
  noneNote: "Add tags to links to group them. They appear here with their links and clicks.",
  noMatch: "No tag matches",
  find: "Search tags",
  links: (count: number) => plural(count, "link"),
  clicks: (count: number) => plural(count, "click"),
  showLinks: (tag: string) => `Links with the tag ${tag}`,
  showReport: (tag: string) => `Report of the tag ${tag}`,
  pending: "Links are being changed …",
  edit: (tag: string) => `Edit ${tag}`,
  editShort: "Edit",
  name: "Name",
  color: "Color",
  automatic: "Automatic",
  colors,
  save: "Save",
  saved: (tag: string) => `Saved the tag “${tag}”.`,
  goesOn: (tag: string) => `Links are being moved to “${tag}”. That goes on by itself.`,
  /** As a question before two tags become one. */
  askMerge: (from: string, to: string) => `Merge “${from}” into “${to}”?`,
  askMergeNote: (from: string, to: string) =>
    `There is a tag “${to}” already. All links with “${from}” get it instead, and the two can’t be told apart afterwards.`,
  merge: "Merge",
  delete: (tag: string) => `Delete ${tag}`,
  deleteShort: "Delete",
  askDelete: (tag: string) => `Delete the tag “${tag}”?`,
  askDeleteNote: (links: number) =>
    links === 0 ? "No link has it." : `It is removed from ${plural(links, "link")}. The links stay.`,
  deleted: (tag: string) => `Deleted the tag “${tag}”.`,
};
