import {
  ChartNoAxesColumn,
  CodeXml,
  Download,
  Globe,
  KeyRound,
  Link2,
  type LucideIcon,
  Palette,
  ScrollText,
  Settings,
  ShieldCheck,
  Users,
  Webhook,
} from "lucide-react";
import type { Role } from "#contract/roles.ts";

interface Page {
  readonly to: `/a/$account/${string}`;
  readonly label: string;
  /** Other words that people look for it by. */
  readonly keywords: string;
  readonly icon: LucideIcon;
  /** Others see nothing there. */
  readonly least?: Role;
}

/** Every page of an account, for the command palette. */
export const pages = [
  { to: "/a/$account/links", label: "Links", keywords: "short urls list home", icon: Link2 },
  {
    to: "/a/$account/reports",
    label: "Reports",
    keywords: "analytics statistics clicks visitors charts qr scans",
    icon: ChartNoAxesColumn,
  },
  { to: "/a/$account/domains", label: "Domains", keywords: "host name dns brand", icon: Globe },
  {
    to: "/a/$account/developer/tokens",
    label: "API tokens",
    keywords: "developer key secret access",
    icon: KeyRound,
    least: "admin",
  },
  {
    to: "/a/$account/developer/webhooks",
    label: "Webhooks",
    keywords: "developer endpoints deliveries events",
    icon: Webhook,
    least: "admin",
  },
  {
    to: "/a/$account/developer/api",
    label: "API quick start",
    keywords: "developer docs curl sdk client base url limits",
    icon: CodeXml,
  },
  {
    to: "/a/$account/settings",
    label: "Account settings",
    keywords: "general rename logo plan usage limits delete account",
    icon: Settings,
  },
  {
    to: "/a/$account/settings/members",
    label: "Members",
    keywords: "settings people team users roles invitations",
    icon: Users,
  },
  {
    to: "/a/$account/settings/export",
    label: "Export",
    keywords: "settings download csv json backup all links",
    icon: Download,
  },
  {
    to: "/a/$account/settings/audit",
    label: "Audit log",
    keywords: "settings history activity who changed paused",
    icon: ScrollText,
    least: "admin",
  },
  {
    to: "/a/$account/personal",
    label: "Sign-in and security",
    keywords: "personal settings profile password email address name passkeys two-factor 2fa authenticator sessions",
    icon: ShieldCheck,
  },
  {
    to: "/a/$account/personal/appearance",
    label: "Appearance",
    keywords: "personal settings theme dark light keyboard shortcuts",
    icon: Palette,
  },
] as const satisfies readonly Page[];
