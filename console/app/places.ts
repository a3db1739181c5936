import { ChartNoAxesColumn, CodeXml, Globe, Link2, Settings } from "lucide-react";

/** The areas of an account, in the order of the navigation; the command palette offers them too. */
export const places = [
  { to: "/a/$account/links", label: "Links", icon: Link2 },
  { to: "/a/$account/reports", label: "Reports", icon: ChartNoAxesColumn },
  { to: "/a/$account/domains", label: "Domains", icon: Globe },
  { to: "/a/$account/developer", label: "Developer", icon: CodeXml },
  { to: "/a/$account/settings", label: "Settings", icon: Settings },
] as const;
