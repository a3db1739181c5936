import { type MouseEvent, memo } from "react";
import { classes } from "#console/ui/classes.ts";
import { DestinationText } from "#console/ui/destination-text.tsx";
import { formatAgo, formatInstant, formatShortDay } from "#console/ui/format.ts";
import type { Link } from "#contract/link-record.ts";
import { linkTexts as texts } from "#texts/links.ts";
import { ClicksPill } from "./clicks-pill.tsx";
import { DestinationTile } from "./destination-tile.tsx";
import { LinkBadge } from "./link-badge.tsx";
import type { LinkChanges } from "./link-changes.ts";
import type { OpenLink } from "./link-dialogs.ts";
import { LinkMenu } from "./link-menu.tsx";
import type { ListDisplay } from "./list-display.ts";
import { RowIcon } from "./row-icon.tsx";
import { ShortLink } from "./short-link.tsx";
import { TagList } from "./tag-list.tsx";

/** All rows are of one height, so that a long list knows where each stands without drawing it. */
export const ROW_HEIGHT = { wide: 76, compact: 48, narrow: 116 } as const;

export interface LinkRowProps {
  readonly link: Link;
  readonly index: number;
  readonly total: number;
  readonly top: number;
  readonly selected: boolean;
  readonly mayChange: boolean;
  readonly changes: LinkChanges;
  readonly onOpen: OpenLink;
  readonly reportHref: string;
  /** The same object until it changes. */
  readonly display: ListDisplay;
  /** Of a wide row, and a narrow one, only what it shows is drawn. */
  readonly isWide: boolean;
  /** Whether the clicks of the last 30 days are shown. */
  readonly withDays: boolean;
  readonly onSelect: (index: number, withRange: boolean) => void;
}

export const LinkRow = memo(function LinkRow(props: LinkRowProps) {
  const { link, index, total, top, selected, mayChange, changes, onOpen, onSelect, reportHref, display } = props;
  const { isWide, withDays } = props;
  const endsAt = endOf(link);
  function open(event: MouseEvent): void {
    // A new tab is the browser's to open.
    if (event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    if (event.shiftKey && mayChange) onSelect(index, true);
    else onOpen({ edit: link.id });
  }
  return (
    <li
      aria-setsize={total}
      aria-posinset={index + 1}
      style={{ top }}
      className={classes(
        "group absolute inset-x-0 flex scroll-mt-40 scroll-mb-24 h-29 items-center gap-3 border-b border-line px-3 sm:gap-4 sm:px-4",
        display.isCompact ? "sm:h-12" : "sm:h-19",
        "has-[[data-row]:focus-visible]:outline-2 has-[[data-row]:focus-visible]:-outline-offset-2 outline-accent",
        selected ? "bg-accent-soft" : "hover:bg-hover",
      )}
    >
      {mayChange && (
        <label className="relative z-10 -m-2.5 flex cursor-pointer p-2.5">
          <input
            type="checkbox"
            className="size-4 cursor-pointer"
            aria-label={texts.row.select(link.slug)}
            checked={selected}
            onChange={({ nativeEvent }) => onSelect(index, "shiftKey" in nativeEvent && nativeEvent.shiftKey === true)}
          />
        </label>
      )}
      <DestinationTile link={link} isSmall={display.isCompact} />
      <div className={classes("min-w-0 grow", display.isCompact && "sm:flex sm:items-center sm:gap-4")}>
        <div className={classes("@container flex items-center gap-2", display.isCompact && "sm:w-2/5 sm:shrink-0")}>
          <ShortLink link={link} isCompact={display.isCompact} />
          <LinkBadge link={link} />
          {mayChange && !display.isCompact && link.state !== "deleted" && <EditHint />}
        </div>
        {/* The one thing that a row is for: it covers the row, below the buttons. */}
        <a
          href={`?edit=${link.id}`}
          data-row={index}
          onClick={open}
          className={classes(
            "flex min-h-6 min-w-0 items-center gap-1.5 text-sm text-soft outline-none after:absolute after:inset-0 max-sm:flex-col max-sm:items-stretch max-sm:justify-center max-sm:gap-0",
            display.isCompact ? "max-sm:mt-0.5" : "mt-0.5",
          )}
        >
          <span className="sr-only">
            {mayChange && link.state !== "deleted" ? texts.row.editSlug(link.slug) : texts.row.showSlug(link.slug)}
          </span>
          {link.title !== null && <span className="truncate text-text">{link.title}</span>}
          {/* The title is what people know a link by: the address makes room for it. */}
          <span className="flex min-w-0 items-center gap-1 text-faint sm:min-w-20 sm:shrink-9999">
            <RowIcon name="leadsTo" className="size-3.5 shrink-0" />
            <DestinationText url={link.destination_url} />
          </span>
        </a>
        {!isWide && (
          <div className="mt-1.5 flex items-center gap-3 text-xs text-faint">
            <ClicksPill link={link} href={reportHref} onOpen={onOpen} withDays={false} />
            {endsAt === null ? <Created link={link} /> : <Ends at={endsAt} />}
            <TagList tags={link.tags} shown={1} />
          </div>
        )}
      </div>
      {isWide && (
        <div className="flex shrink-0 items-center gap-4 text-sm">
          {display.tags && (
            <span className="max-w-56 max-xl:hidden">
              <TagList tags={link.tags} shown={2} />
            </span>
          )}
          <span className={classes("flex justify-end", withDays && "xl:w-52 xl:justify-stretch")}>
            <ClicksPill link={link} href={reportHref} onOpen={onOpen} withDays={withDays} />
          </span>
          {display.created && (
            <span className="flex w-20 flex-col items-end text-faint max-md:hidden">
              <Created link={link} />
              {endsAt !== null && <Ends at={endsAt} />}
            </span>
          )}
        </div>
      )}
      <span className="relative z-10 -mr-1.5 max-sm:self-start max-sm:mt-2">
        <LinkMenu
          link={link}
          mayChange={mayChange}
          changes={changes}
          onEdit={() => onOpen({ edit: link.id })}
          onDuplicate={() => onOpen({ copy: link.id })}
          onQr={() => onOpen({ qr: link.id })}
          onHistory={() => onOpen({ history: link.id })}
          onReport={() => onOpen({ report: link.id })}
        />
      </span>
    </li>
  );
});

/** What a click on the row does; the link that covers the row says it to those who can't see it. */
const EditHint = () => (
  <span
    aria-hidden
    className="ml-1 hidden h-4 min-w-0 shrink-999 flex-wrap items-center gap-1 overflow-hidden text-xs font-medium text-accent group-hover:inline-flex max-sm:hidden! pointer-coarse:hidden!"
  >
    <RowIcon name="edit" className="size-3" />
    {texts.row.edit}
  </span>
);

/** When it was created, or deleted. */
function Created({ link: { created_at, deleted_at } }: { readonly link: Link }) {
  const at = deleted_at ?? created_at;
  const title = deleted_at === null ? texts.row.created(formatInstant(at)) : texts.row.deleted(formatInstant(at));
  return (
    <time dateTime={at} title={title} className="whitespace-nowrap">
      {formatAgo(at)}
    </time>
  );
}

/** When it stops working by itself, unless something else keeps it from working already. */
const endOf = ({ expires_at, expired, blocked, exhausted, state }: Link): string | null =>
  expired || blocked || exhausted || state === "archived" || state === "deleted" ? null : expires_at;

const Ends = ({ at }: { readonly at: string }) => (
  <time dateTime={at} title={texts.row.expires(formatInstant(at))} className="text-xs whitespace-nowrap">
    {texts.row.ends(formatShortDay(at))}
  </time>
);
