import {
  ChartNoAxesColumn,
  CodeXml,
  Download,
  Globe,
  Import,
  KeyRound,
  Link2,
  type LucideIcon,
  Palette,
  ScrollText,
  Settings,
  ShieldCheck,
  Tags,
  Users,
  Webhook,
} from "lucide-react";
import type { Role } from "#contract/roles.ts";
import type { paletteTexts } from "#texts/palette.ts";

interface Page {
  readonly to: `/a/$account/${string}`;
  readonly name: keyof typeof paletteTexts.pages;
  readonly icon: LucideIcon;
  /** Others see nothing there. */
  readonly least?: Role;
}

/** Every page of an account, for the command palette. */
export const pages = [
  { to: "/a/$account/links", name: "links", icon: Link2 },
  { to: "/a/$account/reports", name: "reports", icon: ChartNoAxesColumn },
  { to: "/a/$account/domains", name: "domains", icon: Globe },
  { to: "/a/$account/developer/tokens", name: "tokens", icon: KeyRound, least: "admin" },
  { to: "/a/$account/developer/webhooks", name: "webhooks", icon: Webhook, least: "admin" },
  { to: "/a/$account/developer/api", name: "api", icon: CodeXml },
  { to: "/a/$account/settings", name: "settings", icon: Settings },
  { to: "/a/$account/settings/members", name: "members", icon: Users },
  { to: "/a/$account/settings/tags", name: "tags", icon: Tags },
  { to: "/a/$account/settings/import", name: "import", icon: Import, least: "admin" },
  { to: "/a/$account/settings/export", name: "export", icon: Download },
  { to: "/a/$account/settings/audit", name: "audit", icon: ScrollText, least: "admin" },
  { to: "/a/$account/personal", name: "security", icon: ShieldCheck },
  { to: "/a/$account/personal/appearance", name: "appearance", icon: Palette },
] as const satisfies readonly Page[];
