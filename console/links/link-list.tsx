import {
  type KeyboardEvent,
  type RefObject,
  useCallback,
  useEffect,
  useImperativeHandle,
  useReducer,
  useRef,
  useState,
} from "react";
import { useMedia } from "#console/ui/media.ts";
import type { Link } from "#contract/link-record.ts";
import { linkTexts as texts } from "#texts/links.ts";
import type { LinkChanges } from "./link-changes.ts";
import type { LinkFilter } from "./link-list-search.ts";
import { LinkRow, type LinkRowProps, ROW_HEIGHT } from "./link-row.tsx";
import { useListDisplay } from "./list-display.ts";
import type { Selection } from "./use-selection.ts";
import { useVisibleRange } from "./visible-range.ts";

export interface LinkListHandle {
  /** Puts the focus on a row, and the row on the screen. */
  focusRow(index: number): void;
  /** Puts it on the first row that can be seen, so that nobody loses their place. */
  focusVisible(): void;
  /**
   * Puts it back on the row that had it last, or on the first one if that can't be seen: nothing scrolls. It isn't marked
   * for those who use a mouse.
   */
  focusAgain(): void;
}

interface LinkListProps {
  readonly links: readonly Link[];
  /** What these are the links of. */
  readonly filter: LinkFilter;
  readonly hasMore: boolean;
  readonly onNearEnd: () => void;
  readonly mayChange: boolean;
  readonly changes: LinkChanges;
  readonly selection: Selection;
  readonly onOpen: LinkRowProps["onOpen"];
  readonly reportHref: (id: string) => string;
  readonly handle: RefObject<LinkListHandle | null>;
  /** Someone may be about to open a link. */
  readonly onApproach: () => void;
}

/** Without a word, a browser marks the focus of those who used a key last. */
interface FocusWay {
  readonly focusVisible?: true;
  readonly scrolls?: true;
}

const PLAINLY: FocusWay = {};

// Beside the rows that are drawn beyond the screen.
const NEAR_END_ROWS = 5;

/** The links in rows; only those near the screen are drawn, so that ten thousand scroll like ten. */
export function LinkList(props: LinkListProps) {
  const { links, filter, hasMore, onNearEnd, mayChange, changes, selection, onOpen, reportHref, handle, onApproach } =
    props;
  const list = useRef<HTMLUListElement>(null);
  const display = useListDisplay();
  const wideHeight = display.isCompact ? ROW_HEIGHT.compact : ROW_HEIGHT.wide;
  const isWide = useMedia("(width >= 40rem)");
  const rowHeight = isWide ? wideHeight : ROW_HEIGHT.narrow;
  const hasRoom = useMedia(display.isCompact ? "(width >= 64rem)" : "(width >= 48rem)");
  const withDays = hasRoom && display.chart;
  const { first, end } = useVisibleRange(list, { count: links.length, rowHeight, listId: filter });
  const [active, setActive] = useState<number | null>(null);
  /** Of the row that gets the focus once it is drawn as the active one. */
  const wanted = useRef<{ readonly index: number; readonly way: FocusWay } | null>(null);
  const [, drawAgain] = useReducer((times: number) => times + 1, 0);
  const activeId = useRef<string | undefined>(undefined);

  const focusRow = useCallback(
    (wish: number, way: FocusWay = { focusVisible: true, scrolls: true }) => {
      if (links.length === 0) return;
      const index = Math.max(0, Math.min(wish, links.length - 1));
      wanted.current = { index, way };
      setActive(index);
      // It may be the row that had the focus last.
      drawAgain();
    },
    [links.length],
  );
  /** The first row that can be seen, and the one after the last; rows that are drawn beyond the screen don't count. */
  const findSeen = useCallback(() => {
    const row = list.current?.querySelector("li");
    if (!list.current || !row) return null;
    const { top } = list.current.getBoundingClientRect();
    // What lies above the list stays on the screen, and covers so much of it.
    const covered = Number.parseFloat(getComputedStyle(row).scrollMarginTop);
    return { from: Math.round((covered - top) / rowHeight), to: Math.floor((innerHeight - top) / rowHeight) };
  }, [rowHeight]);
  useImperativeHandle(
    handle,
    () => ({
      focusRow: (index) => focusRow(index),
      focusVisible: () => {
        const seen = findSeen();
        if (seen) focusRow(seen.from);
      },
      focusAgain: () => {
        const seen = findSeen();
        if (!seen) return;
        const isSeen = active !== null && active >= seen.from && active < seen.to;
        focusRow(isSeen ? active : seen.from, PLAINLY);
      },
    }),
    [focusRow, findSeen, active],
  );
  useEffect(() => {
    // A scroll may have it drawn once more before that.
    if (wanted.current === null || wanted.current.index !== active) return;
    const { scrolls, ...look } = wanted.current.way;
    wanted.current = null;
    const row = list.current?.querySelector<HTMLElement>(`[data-row="${active}"]`);
    row?.focus({ preventScroll: true, ...look } as FocusOptions);
    if (scrolls) row?.closest("li")?.scrollIntoView({ block: "nearest" });
  });
  // When the link with the focus is gone, the one in its place has it.
  useEffect(() => {
    const id = activeId.current;
    if (active === null || id === undefined || links.some((link) => link.id === id)) return;
    const next = Math.min(active, links.length - 1);
    activeId.current = links[next]?.id;
    if (document.activeElement !== document.body || document.querySelector("dialog[open]")) return;
    list.current?.querySelector<HTMLElement>(`[data-row="${next}"]`)?.focus({ preventScroll: true });
  }, [links, active]);
  useEffect(() => {
    if (hasMore && end > links.length - NEAR_END_ROWS) onNearEnd();
  }, [hasMore, end, links.length, onNearEnd]);

  function press(event: KeyboardEvent<HTMLUListElement>): void {
    if (event.target instanceof Element && event.target.closest("[popover]")) return;
    if ((event.ctrlKey || event.metaKey) && event.key === "a" && mayChange) {
      event.preventDefault();
      selection.selectLoaded();
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const row = event.target instanceof Element ? event.target.closest("li")?.querySelector("[data-row]") : null;
    const at = Number(row?.getAttribute("data-row") ?? -1);
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      Home: 0,
      End: links.length - 1,
    };
    const to = moves[event.key];
    if (to !== undefined) {
      event.preventDefault();
      if (event.shiftKey && mayChange && Math.abs(to - at) === 1) selection.toggle(to, true);
      focusRow(to);
    } else if (event.key === "x" && mayChange && at >= 0) {
      event.preventDefault();
      selection.toggle(at, false);
    } else if (event.key === "Escape" && selection.selected.length > 0) {
      selection.clear();
    }
  }

  const rows = Array.from({ length: end - first }, (_, offset) => first + offset);
  // The row with the focus stays, wherever the page is scrolled to.
  if (active !== null && active < links.length && (active < first || active >= end)) rows.push(active);
  return (
    <ul
      ref={list}
      aria-label={texts.title}
      onKeyDown={press}
      onPointerEnter={onApproach}
      onFocus={({ target }) => {
        onApproach();
        const row = target.closest("li")?.querySelector("[data-row]")?.getAttribute("data-row");
        if (row === null || row === undefined) return;
        activeId.current = links[Number(row)]?.id;
        setActive(Number(row));
      }}
      style={{ height: links.length * rowHeight }}
      className="relative overflow-hidden"
    >
      {rows.map((index) => {
        const link = links[index];
        return (
          link && (
            <LinkRow
              key={link.id}
              link={link}
              index={index}
              total={hasMore ? -1 : links.length}
              top={index * rowHeight}
              selected={selection.has(link.id)}
              mayChange={mayChange}
              changes={changes}
              onOpen={onOpen}
              reportHref={reportHref(link.id)}
              display={display}
              isWide={isWide}
              withDays={withDays}
              onSelect={selection.toggle}
            />
          )
        );
      })}
    </ul>
  );
}
