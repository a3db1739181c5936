import { formatExact } from "#console/ui/format.ts";

/** Around every page, and the pages of the first load. */
export const appTexts = {
  skip: "Skip to content",
  search: "Search",
  searchLabel: "Search and commands",
  navigation: "Main",
  places: {
    links: "Links",
    reports: "Reports",
    domains: "Domains",
    developer: "Developer",
    settings: "Settings",
  },
  loadingPage: "Loading the page",

  account: "Account",
  personal: "Personal settings",
  signOut: "Sign out",

  help: "Help",
  helpWithNews: "Help, with news",
  docs: "Documentation",
  reference: "API reference",
  shortcuts: "Keyboard shortcuts",
  whatsNew: "What’s new",
  themes: { system: "System theme", light: "Light theme", dark: "Dark theme" },

  unreachable: "Can’t reach the server. What you see may be out of date. New pages open once you’re connected again.",
  offline: "You’re offline. What you see may be out of date. New pages open once you’re connected again.",
  suspended: "The operator has suspended this account. Its links don’t redirect, and nothing can be changed.",
  endpointsOff: (count: number) =>
    count === 1
      ? "A webhook endpoint was switched off after failing."
      : `${formatExact(count)} webhook endpoints were switched off after failing.`,
  seeEndpoints: "See what went wrong",
  recordMissing: (domain: string) => `The TXT record of ${domain} is missing.`,
  recordsMissing: (count: number) => `The TXT records of ${formatExact(count)} domains are missing.`,
  seeDomains: "See what to do",

  crashed: "This page stopped working",
  crashedNote: "The server may have been updated since you opened it. Nothing you saved is lost.",
  reload: "Reload",
  notFound: "There is nothing here",
  notFoundNote: "The address may be mistyped, or what it showed is gone.",
  toLinks: "Go to your links",
  noAccount: "You’re not in any account",
  noAccountNote: (email: string) => `You’re signed in as ${email}. Ask someone to invite you to their account.`,
};
