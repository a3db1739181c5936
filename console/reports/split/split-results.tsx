import { useLink } from "#console/links/use-link.ts";
import type { Link } from "#contract/link-record.ts";
import { SplitCard } from "./split-card.tsx";

type Rule = Link["rules"][number];
export type Split = Rule & { readonly split: NonNullable<Rule["split"]> };

const isSplit = (rule: Rule): rule is Split => rule.split !== undefined;

/** What came of each split that the link has now. Those of former rules are in the list of rules. */
export function SplitResults({ link: id }: { readonly link: string }) {
  const { data: link } = useLink(id);
  return link?.rules.filter(isSplit).map((rule) => <SplitCard key={rule.name} rule={rule} />);
}
