import type { Role } from "#contract/roles.ts";
import type { TagColor } from "#contract/tags.ts";
import { type DemoPage, harbourPages, lighthousePages, meadowPages } from "./demo-pages.ts";

/** A fictional account, with everything that its pages show. */
export interface DemoAccount {
  readonly name: string;
  readonly plan: "free" | "pro" | "unlimited";
  /** The role of the user whose password is published. */
  readonly role: Role;
  /** Its other members; the first one is the owner, unless the published user is. */
  readonly people: readonly (readonly [name: string, email: string, role: Role])[];
  /** One link to each of them, the most popular first. */
  readonly pages: readonly DemoPage[];
  readonly clicks: number;
  /** How many of the least popular links are paused, archived or expired. */
  readonly paused: number;
  readonly archived: number;
  readonly expired: number;
  readonly tagColors: Readonly<Record<string, TagColor>>;
  /** Reports of popular links that anyone can see. */
  readonly shares: readonly DemoShare[];
}

interface DemoShare {
  /** Of its link. */
  readonly rank: number;
  /** The last part of its address: 24 letters and digits, the same in every generation. */
  readonly token: string;
  readonly terms: { readonly min_visitors?: number; readonly timezone?: string };
}

/** The published token belongs to the first one. */
export const demoAccounts: readonly DemoAccount[] = [
  {
    name: "Meadow & Co.",
    plan: "pro",
    role: "owner",
    people: [
      ["Ines Almeida", "ines@example.com", "admin"],
      ["Tomás Weber", "tomas@example.com", "member"],
      ["Yuki Sato", "yuki@example.com", "viewer"],
    ],
    pages: meadowPages,
    clicks: 60_000,
    paused: 12,
    archived: 16,
    expired: 10,
    tagColors: { sale: "red", guides: "green", launch: "purple", events: "orange", newsletter: "blue" },
    shares: [{ rank: 1, token: "demo0meadow0report000001", terms: {} }],
  },
  {
    name: "Lighthouse Press",
    plan: "unlimited",
    role: "member",
    people: [
      ["Marie Laurent", "marie@example.org", "owner"],
      ["Oskar Lind", "oskar@example.org", "admin"],
    ],
    pages: lighthousePages,
    clicks: 24_000,
    paused: 6,
    archived: 10,
    expired: 8,
    tagColors: { reading: "teal", press: "gray", launch: "pink" },
    shares: [{ rank: 1, token: "demo0lighthouse0report01", terms: { min_visitors: 5, timezone: "Europe/Berlin" } }],
  },
  {
    name: "Harbour Festival",
    plan: "free",
    role: "viewer",
    people: [["Paulo Costa", "paulo@example.net", "owner"]],
    pages: harbourPages,
    clicks: 3000,
    paused: 2,
    archived: 2,
    expired: 1,
    tagColors: {},
    shares: [],
  },
];
