import { plural } from "#console/ui/format.ts";
import type { BlockReason } from "#contract/errors.ts";
import { blockReasons } from "./block-reasons.ts";

export const domainTexts = {
  title: "Domains",
  note: "Host names of your own for short links.",
  none: "No domains yet",
  noneNote: "Add a name such as go.example.com to create short links people recognize as yours.",
  add: "Add domain",
  all: "All domains",
  linkCount: (links: number) => plural(links, "link"),
  verifiedAt: (time: string) => `verified ${time}`,
  addedAt: (time: string) => `added ${time}`,
  inPlan: "Domains in your plan",
  form: {
    name: "Domain name",
    hint: "You’ll need access to its DNS settings. A subdomain is best if the main domain has a website.",
  },
  badges: {
    lost: "Lost",
    pending: "Not verified",
    recordMissing: "Record missing",
    verified: "Verified",
    default: "Default",
  },
  makeDefault: "Make default",
  stopDefault: "Stop using as default",
  isDefault: (name: string) => `New links use ${name}.`,
  isNoDefault: (name: string) => `New links don’t use ${name} by default anymore.`,
  /** The name as people write it, and as DNS does. */
  lost: {
    dns: (name: string, host: string) =>
      `Another account proved that it owns ${name}. Your short links on it now return 404. If the domain is yours, add the TXT record again, remove any other one at _kurz.${host}, and verify the domain.`,
    operator: (name: string, _host: string) =>
      `The operator gave ${name} to another account. Your short links on it now return 404. If that is a mistake, ask the operator.`,
  },
  recordMissing: (name: string) =>
    `The TXT record wasn’t found. Your links keep working, but another account could take over ${name} until you restore it.`,
  setup: {
    title: "Set up the domain",
    note: "Add these records where you manage the DNS of the domain, then check them.",
    doneTitle: "DNS and HTTPS",
    doneNote: "What makes the domain work. Keep all of it in place.",
    prove: "Prove that it’s yours",
    proveNote:
      "Add this TXT record, and keep it: Kurz looks for it every day, and without it another account could take over the name.",
    provedNote:
      "Add this TXT record if it’s missing, and keep it: Kurz looks for it every day, and without it another account could take over the name.",
    vouchedNote:
      "The operator of this server vouched for the name, so this TXT record is optional. With it, no other account can take over the name.",
    point: "Point it at this server",
    pointNote:
      "Add a CNAME record. If your provider doesn’t allow one, as for a name without a subdomain, use A and AAAA records with this server’s IP addresses.",
    certificate: "Get a certificate",
    certificateNote: (name: string) =>
      `HTTPS is handled by the proxy in front of Kurz. It needs a certificate for ${name}; a proxy with on-demand TLS gets one on the first visit. If short links don’t open over HTTPS, ask the operator of this server.`,
    checkNow: "Check now",
    checking: "Looking up the record…",
    checkedAt: (time: string) => `Checked ${time}`,
    isVerified: (name: string) => `${name} is verified.`,
    byOperator: "Verified by the operator.",
    notChecked: "Not checked yet. New records can take a few minutes to show.",
    found: "The record is there.",
    /** The server's own words are English. */
    problem: (message: string): string => message,
  },
  record: {
    type: "Type",
    name: "Name",
    value: "Value",
    copyType: (type: string) => `Copy type ${type}`,
    copyName: (type: string) => `Copy ${type} name`,
    copyValue: (type: string) => `Copy ${type} value`,
  },
  addresses: {
    title: "Other visitors",
    note: "Where to send people who don’t reach a working link. Leave one empty, and they get what the instance’s own domain shows.",
    fields: {
      root_redirect_url: { label: "Start page", hint: "For visitors who open the domain without a slug." },
      not_found_redirect_url: { label: "Unknown links", hint: "For visitors of a short link that doesn’t exist." },
      expired_redirect_url: {
        label: "Expired links",
        hint: "For visitors of a link that has expired or used up its clicks.",
      },
    },
    blocked: (reason: BlockReason) =>
      `The operator blocks this address (${blockReasons[reason]}), so visitors get the standard page.`,
    save: "Save",
    saved: "Addresses saved.",
  },
  apps: {
    title: "Apps",
    note: "Lets your iOS and Android apps open these short links. Paste the documents that your app developers give you.",
    documents: { apple_app_site_association: "iOS apps", assetlinks: "Android apps" },
    optional: "optional",
    servedAt: (address: string) => `Served at ${address}`,
    save: "Save app documents",
    saved: "App documents saved.",
    notJson: (why: string) => `This isn’t valid JSON: ${why}.`,
  },
  remove: {
    action: "Remove domain",
    note: (links: number) =>
      links === 0
        ? "It has no links, so nothing stops working."
        : `It has ${plural(links, "link")}, archived and paused ones included. Delete them before you remove it.`,
    question: (name: string) => `Remove ${name}?`,
    questionNote:
      "Its addresses for other visitors are deleted with it. To use the name again, you’ll have to verify it again.",
    done: (name: string) => `Removed ${name}.`,
    hasLinks: (name: string) => `${name} can’t be removed yet`,
    hasLinksNote: (links: number) =>
      `It still has ${plural(links, "link")}, archived and paused ones included. Delete ${links === 1 ? "it" : "them"} first: a link can’t move to another domain.`,
    showLinks: (links: number): string => (links === 1 ? "Show link" : "Show links"),
  },
};
