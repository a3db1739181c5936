import { classes } from "#console/ui/classes.ts";
import { formatCount, formatInstant } from "#console/ui/format.ts";
import type { Link } from "#contract/link-record.ts";
import { linkTexts } from "#texts/links.ts";
import { useLinkDays } from "./link-days.ts";
import type { OpenLink } from "./link-dialogs.ts";
import { RowIcon } from "./row-icon.tsx";
import { Sparkline } from "./sparkline.tsx";

const { clicks: texts } = linkTexts;

interface ClicksPillProps {
  readonly link: Link;
  readonly href: string;
  readonly onOpen: OpenLink;
  /** Whether there is room for the last 30 days. */
  readonly withDays: boolean;
}

/** What the figure counts, and what the line does. */
const titleOf = ({ click_count, last_clicked_at }: Link, withDays: boolean): string =>
  [
    texts.total(click_count),
    withDays && texts.days,
    last_clicked_at !== null && texts.last(formatInstant(last_clicked_at)),
    texts.open,
  ]
    .filter((line) => line !== false)
    .join("\n");

/** Leads to the report. */
export const ClicksPill = ({ link, href, onOpen, withDays }: ClicksPillProps) => (
  <a
    href={href}
    aria-label={texts.report(link.click_count, link.slug)}
    title={titleOf(link, withDays)}
    onClick={(event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      onOpen({ report: link.id });
    }}
    className={classes(
      "group/clicks relative z-10 inline-flex items-center gap-3 rounded-full",
      withDays && "grow justify-between",
    )}
  >
    {withDays && <LinkSparkline link={link} />}
    <span className="inline-flex h-7 min-w-16 items-center justify-center gap-1.5 rounded-full border border-line bg-card px-2.5 font-medium whitespace-nowrap text-soft group-hover/clicks:border-accent group-hover/clicks:bg-accent-soft group-hover/clicks:text-accent">
      <RowIcon name="clicks" className="size-3.5" />
      {/* With a space, for those who hear it. */}
      {`${formatCount(link.click_count)} `}
      <span className="font-normal max-xl:hidden">{texts.word(link.click_count)}</span>
    </span>
  </a>
);

const LinkSparkline = ({ link }: { readonly link: Link }) => <Sparkline values={useLinkDays(link)} />;
