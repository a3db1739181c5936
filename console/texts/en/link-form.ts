import { plural } from "#console/ui/format.ts";

/** The dialog of a link. */
export const linkFormTexts = {
  titles: { create: "Create link", duplicate: "Duplicate link", edit: "Edit link", show: "Link" },
  optional: "optional",
  copyShort: "Copy short link",
  saved: (slug: string) => `Saved /${slug}.`,
  save: "Save",
  create: "Create link",
  discard: { question: "Discard what you entered?", keep: "Keep editing", discard: "Discard" },

  /** What a field is called, also where it is only mentioned. */
  fields: {
    destination_url: "Destination",
    domain: "Domain",
    slug: "Slug",
    title: "Title",
    tags: "Tags",
    utm: "UTM parameters",
    expires_at: "Expires",
    rules: "Rules",
    password: "Password",
    max_clicks: "Click limit",
    starts_at: "Starts",
    expired_url: "Address after the end",
    preview: "Preview card",
    redirect_status: "Redirect status",
    forward_query: "Pass on the query",
    forward_path: "Pass on the path",
    notes: "Notes",
    external_id: "External ID",
  },
  titlePlaceholder: "A name; the preview page shows it",
  domainHint: "Can’t be changed later.",
  slug: {
    hint: "Leave empty for a random slug.",
    free: "This slug is available.",
    /** In the server's words, if it has any. */
    taken: (problem: string | null): string => problem ?? "This slug is taken.",
  },
  tags: {
    limit: (count: number) => `limit of ${count} reached`,
    remove: (tag: string) => `Remove tag ${tag}`,
    placeholder: "Type and press Enter",
    inUse: "Tags in use",
  },
  utm: {
    set: (count: number) => `${count} set`,
    keys: {
      utm_source: { label: "Source", placeholder: "newsletter" },
      utm_medium: { label: "Medium", placeholder: "email" },
      utm_campaign: { label: "Campaign", placeholder: "spring-sale" },
      utm_term: { label: "Term", placeholder: "running shoes" },
      utm_content: { label: "Content", placeholder: "header-button" },
    },
    arriveAt: "Visitors arrive at",
    finalAddress: "Final address",
    copy: "Copy final address",
    inDestination: "Already in the destination.",
    noDestination: "Enter a destination first.",
    recent: "Recently used",
  },

  expiry: {
    none: "Never expires by default.",
    /** As in "in 3 days". */
    page: (ago: string) => `${ago}; visitors then see that it ended.`,
    address: (ago: string, address: string) => `${ago}; visitors then go to ${address}.`,
  },
  start: {
    none: "Works at once by default.",
    page: (ago: string) => `${ago}; until then visitors see “not found”.`,
    address: (ago: string, address: string) => `${ago}; until then visitors go to ${address}.`,
  },
  end: {
    label: "After it ends, go to",
    none: "Used once you set an expiry or a click limit.",
    expiry: "For visitors once the link has expired.",
    clicks: "For visitors once the link has used up its clicks.",
    both: "For visitors once the link has expired or has used up its clicks.",
    emptyPage: "If empty, they see a page that says so.",
    emptyAddress: (address: string) => `If empty, they go to ${address}.`,
  },

  protection: {
    title: "Protection",
    set: {
      password: "password",
      max_clicks: "click limit",
      starts_at: "start time",
      expired_url: "address after the end",
    },
    unlimited: "Unlimited",
    limitHint: "Counts clicks by people only, never previews or bots.",
    limitUsedUp: (clicks: string) => `All ${clicks} clicks are used up. Raise the limit to reopen the link.`,
    limitSet: "Raise it at any time; previews and bots don’t count.",
  },
  password: {
    label: "Password",
    change: "Change password",
    remove: "Remove password",
    keep: "Keep password",
    isSet: "Visitors must enter it first.",
    isRemoved: "The password is removed when you save.",
    new: "New password",
    keepOld: "Keep the old one",
    replaces: "Replaces the current password.",
    hint: "Visitors must enter it before they’re redirected. It’s never shown again.",
    show: "Show",
    hide: "Hide",
  },
  preview: {
    set: "Set",
    headline: "Headline",
    description: "Description",
    image: "Image address",
    caption: "In a chat it looks like this. People are always redirected.",
    yourImage: "Your image",
    yourImageFrom: (host: string) => `Your image from ${host}`,
    notLoaded: "Chats load it; the console doesn’t.",
  },
  more: {
    title: "More options",
    set: {
      forward_query: "query not passed on",
      forward_path: "path passed on",
      notes: "notes",
      external_id: "external ID",
    },
    statuses: {
      302: { label: "302 Found (default)", note: "Temporary. Every visit is counted, and changes apply at once." },
      307: { label: "307 Temporary Redirect", note: "Like 302, but programs keep their request method." },
      301: {
        label: "301 Moved Permanently",
        note: "Search engines credit the destination. Browsers remember it for 90 seconds, and may not count repeated clicks.",
      },
      308: { label: "308 Permanent Redirect", note: "Like 301, but programs keep their request method." },
    },
    /** A permanent status isn't sent while every visit must be checked. */
    sentAs: {
      password: (status: number) =>
        `Sent as ${status} while the link has a password, since every visit must be checked.`,
      clicks: (status: number) =>
        `Sent as ${status} while the link has a click limit, since every visit must be checked.`,
      both: (status: number) =>
        `Sent as ${status} while the link has a password and a click limit, since every visit must be checked.`,
    },
    queryNote: "?ref=app behind the short link is added to the destination.",
    pathNote: "/slug/a/b leads to the destination with /a/b added.",
    notesHint: "For your team. Visitors never see them; search finds them.",
    idHint: "Your own key for the link in another system. Can’t be changed later.",
    idFixed: "Can’t be changed once it’s set.",
  },

  problems: {
    ruleDestination: "Enter where these visitors go.",
    slug: "Use letters, digits, hyphens and underscores. Start and end with a letter or digit.",
    future: "Must be in the future.",
    startsBeforeEnd: "Must be before the link expires.",
    password: "Enter a password.",
    maxClicks: "Must be a whole number from 1 to 1,000,000,000.",
    externalId: "Another link already has this external ID.",
  },

  conflict: {
    label: "Changed meanwhile",
    title: "This link was changed while you were editing",
    states: {
      active: "It’s active now.",
      paused: "It’s paused now.",
      archived: "It’s archived now.",
      deleted: "It’s in the trash now.",
    },
    changed: "{field} changed to {value}.",
    clash: "{field} changed to {value}; yours is below.",
    takeTheirs: "Use theirs",
    saveAgain: "Save again to keep what the form shows now.",
    none: "none",
    never: "never",
    atOnce: "at once",
    anotherPassword: "another one",
    on: "on",
    off: "off",
  },

  facts: {
    clicks: "Clicks",
    created: "Created",
    afterEnd: "After it ends",
  },
  trash: {
    until: (day: string) => `In the trash until ${day}, then erased.`,
    restore: "Restore",
  },
  rules: (count: number) => plural(count, "rule"),
};
