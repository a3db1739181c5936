import { ChartNoAxesColumn, CodeXml, Globe, Link2, Settings } from "lucide-react";
import { appTexts } from "#texts/app.ts";

const texts = appTexts.places;

/** The areas of an account, in the order of the navigation. The command palette offers all of `pages`. */
export const places = [
  { to: "/a/$account/links", label: texts.links, icon: Link2 },
  { to: "/a/$account/reports", label: texts.reports, icon: ChartNoAxesColumn },
  { to: "/a/$account/domains", label: texts.domains, icon: Globe },
  { to: "/a/$account/developer", label: texts.developer, icon: CodeXml },
  { to: "/a/$account/settings", label: texts.settings, icon: Settings },
] as const;
