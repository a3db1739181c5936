import type { Role } from "#contract/roles.ts";

/** An account that nobody has, with everything that its pages show. */
export interface DemoAccount {
  readonly name: string;
  readonly plan: "free" | "pro" | "unlimited";
  /** What the demo's visitor is in it. */
  readonly role: Role;
  /** Its other people; the first one is its owner where the visitor is not. */
  readonly people: readonly (readonly [name: string, email: string, role: Role])[];
  readonly links: number;
  readonly clicks: number;
  /** How many of the least popular links are over. */
  readonly paused: number;
  readonly archived: number;
  readonly expired: number;
}

/** The first one is the account of the published token. */
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
    links: 180,
    clicks: 60_000,
    paused: 12,
    archived: 16,
    expired: 10,
  },
  {
    name: "Lighthouse Press",
    plan: "unlimited",
    role: "member",
    people: [
      ["Marie Laurent", "marie@example.org", "owner"],
      ["Oskar Lind", "oskar@example.org", "admin"],
    ],
    links: 120,
    clicks: 24_000,
    paused: 6,
    archived: 10,
    expired: 8,
  },
  {
    name: "Harbour Festival",
    plan: "free",
    role: "viewer",
    people: [["Paulo Costa", "paulo@example.net", "owner"]],
    links: 20,
    clicks: 3000,
    paused: 2,
    archived: 2,
    expired: 1,
  },
];
