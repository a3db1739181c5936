import { ChartNoAxesColumn } from "lucide-react";
import { formatCount, formatInstant, plural } from "#console/ui/format.ts";
import type { Link } from "#contract/link-record.ts";
import { useLinkDays } from "./link-days.ts";
import type { OpenLink } from "./link-dialogs.ts";
import { Sparkline } from "./sparkline.tsx";

interface ClicksPillProps {
  readonly link: Link;
  readonly href: string;
  readonly onOpen: OpenLink;
  /** Whether there is room for the last 30 days. */
  readonly withDays: boolean;
}

/** Leads to the report. */
export const ClicksPill = ({ link, href, onOpen, withDays }: ClicksPillProps) => (
  <a
    href={href}
    aria-label={`${plural(link.click_count, "click")}: report of ${link.slug}`}
    title={`Open report (${lastClickOf(link)})`}
    onClick={(event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      onOpen({ report: link.id });
    }}
    className="group/clicks relative z-10 inline-flex items-center gap-3 rounded-full"
  >
    {withDays && <LinkSparkline link={link} />}
    <span className="inline-flex h-7 min-w-16 items-center justify-center gap-1.5 rounded-full border border-line bg-card px-2.5 font-medium whitespace-nowrap text-soft group-hover/clicks:border-accent group-hover/clicks:bg-accent-soft group-hover/clicks:text-accent">
      <ChartNoAxesColumn className="size-3.5" aria-hidden />
      {/* With a space, for those who hear it. */}
      {`${formatCount(link.click_count)} `}
      <span className="font-normal max-xl:hidden">{link.click_count === 1 ? "click" : "clicks"}</span>
    </span>
  </a>
);

const LinkSparkline = ({ link }: { readonly link: Link }) => <Sparkline values={useLinkDays(link)} />;

const lastClickOf = ({ last_clicked_at }: Link): string =>
  last_clicked_at === null ? "no clicks yet" : `last click ${formatInstant(last_clicked_at)}`;
