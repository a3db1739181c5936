import { useNavigate, useSearch } from "@tanstack/react-router";
import { Plus, SearchX, Trash2 } from "lucide-react";
import { Suspense, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { lazyPart, loadPart } from "#console/api/load-part.ts";
import { useWorkspace } from "#console/api/session.tsx";
import { useShortcuts } from "#console/app/shortcuts.ts";
import { Button } from "#console/ui/button.tsx";
import { classes } from "#console/ui/classes.ts";
import { Failure } from "#console/ui/failure.tsx";
import { Key } from "#console/ui/keys.tsx";
import { MoreButton } from "#console/ui/more-button.tsx";
import { Empty, PageHead, Panel } from "#console/ui/panel.tsx";
import { TRASH_DAYS } from "#contract/limits.ts";
import type { Link } from "#contract/link-record.ts";
import { linkTexts as texts } from "#texts/links.ts";
import { useLinkChanges } from "./link-changes.ts";
import { useLinkDialogs } from "./link-dialogs.ts";
import { LinkList, type LinkListHandle } from "./link-list.tsx";
import {
  type FilterChange,
  filterOf,
  isFiltered,
  type LinkFilter,
  type LinkListSearch,
  noFilter,
} from "./link-list-search.ts";
import { LinkSkeletons } from "./link-skeletons.tsx";
import { LinkToolbar } from "./link-toolbar.tsx";
import { ListHead } from "./list-head.tsx";
import { NoLinks } from "./no-links.tsx";
import { useLinkCount } from "./use-link-count.ts";
import { useLinkList } from "./use-link-list.ts";
import { usePastedAddress } from "./use-pasted-address.ts";
import { useSelection } from "./use-selection.ts";
import { TagTints, useTagTint } from "./use-tag-colors.ts";

const loadLinkDialog = () => loadPart(() => import("./link-dialog.tsx"));
const LinkDialog = lazyPart(loadLinkDialog, "LinkDialog");
const BulkBar = lazyPart(() => import("./bulk-bar.tsx"), "BulkBar");
const CreatedCard = lazyPart(() => import("./created-card.tsx"), "CreatedCard");
const HistoryDialog = lazyPart(() => import("./history/history-dialog.tsx"), "HistoryDialog");
const QrDialog = lazyPart(() => import("./qr-dialog.tsx"), "QrDialog");

export function LinksPage() {
  const { may } = useWorkspace();
  const mayChange = may("member");
  const search = useSearch({ from: "/a/$account/links" });
  const navigate = useNavigate({ from: "/a/$account/links" });
  const filter = useFilter(search);
  const list = useLinkList(filter);
  const { links, data, error, refetch, isPlaceholderData } = list;
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = list;
  const selection = useSelection(links);
  // The bar stays once it was needed: it may still be at work when nothing is selected any more.
  const [hasSelected, setHasSelected] = useState(false);
  if (selection.selected.length > 0 && !hasSelected) setHasSelected(true);
  const count = useLinkCount(filter, data !== undefined && !isPlaceholderData);
  const changes = useLinkChanges();
  const tagTint = useTagTint();
  const { openDialog, openLink, closeDialog, reportHref } = useLinkDialogs();
  const searchBox = useRef<HTMLInputElement>(null);
  const rows = useRef<LinkListHandle>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const focusAgain = useCallback(() => {
    if (rows.current) rows.current.focusAgain();
    // Without rows, there may be no search box either.
    else heading.current?.focus();
  }, []);

  const changeFilter = useCallback(
    (change: FilterChange | ((before: LinkFilter) => FilterChange)) =>
      void navigate({
        to: ".",
        search: (before: LinkListSearch) =>
          ({ ...before, ...(typeof change === "function" ? change(before) : change) }) as LinkListSearch,
        replace: true,
        resetScroll: false,
      }),
    [navigate],
  );
  const [pasted, setPasted] = useState<string | null>(null);
  const [created, setCreated] = useState<Link | null>(null);
  const startLink = useCallback(
    (destination: string | null) => {
      setPasted(destination);
      openDialog({ new: "1" });
    },
    [openDialog],
  );
  const create = useCallback(() => startLink(null), [startLink]);
  const isMaking = Boolean(search.new ?? search.copy) && mayChange;
  // However the form was opened or left, nothing of the last link is found in the next.
  useEffect(() => {
    if (isMaking) setCreated(null);
    else setPasted(null);
  }, [isMaking]);
  usePastedAddress((address) => mayChange && startLink(address));
  const loadMore = useCallback(() => {
    if (!isFetchingNextPage && !isFetchNextPageError) void fetchNextPage();
  }, [isFetchingNextPage, isFetchNextPageError, fetchNextPage]);
  const { clear } = selection;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list is another selection
  useEffect(clear, [filter, clear]);

  useShortcuts({
    "/": () => searchBox.current?.focus(),
    ArrowDown: () => rows.current?.focusVisible(),
    ...(mayChange && { c: create }),
  });

  const focusFirst = useCallback(() => rows.current?.focusRow(0), []);
  const { show, ...others } = filter;
  const isWholeTrash = show === "deleted" && !isFiltered(others);
  const isEmpty = data !== undefined && links.length === 0 && !hasNextPage;
  const wasEmpty = useRef(true);
  // The last row may go while it has the focus.
  useLayoutEffect(() => {
    const hasGone = isEmpty && !wasEmpty.current;
    wasEmpty.current = isEmpty || data === undefined;
    if (hasGone && document.activeElement === document.body && !document.querySelector("dialog[open]")) focusAgain();
  }, [isEmpty, data, focusAgain]);
  return (
    <>
      <PageHead
        title={texts.title}
        heading={heading}
        actions={
          mayChange && (
            <Button look="primary" onClick={create} onPointerEnter={loadLinkDialog} onFocus={loadLinkDialog}>
              <Plus className="-ml-1 size-4" aria-hidden />
              {texts.create}
              <span
                className="-mr-1.5 opacity-80 max-lg:hidden [&>kbd]:border-transparent [&>kbd]:bg-white/20 [&>kbd]:text-current"
                aria-hidden
              >
                <Key>C</Key>
              </span>
            </Button>
          )
        }
      />
      {!(isEmpty && !isFiltered(filter)) && (
        <div className="sticky top-0 z-20 -mx-4 bg-page px-4 pt-2 pb-3 sm:-mx-6 sm:px-6">
          <LinkToolbar filter={filter} onFilter={changeFilter} searchBox={searchBox} onLeaveDown={focusFirst} />
          <ListHead count={count} selection={mayChange ? selection : undefined} loaded={links.length} />
        </div>
      )}
      <Panel className={classes("overflow-clip transition-opacity", isPlaceholderData && "opacity-60")}>
        {error && !data && <Failure error={error} onRetry={refetch} />}
        {!error && !data && <LinkSkeletons />}
        {isEmpty && !isFiltered(filter) && (
          <NoLinks {...(mayChange && { onCreate: create })} onShow={(elsewhere) => changeFilter({ show: elsewhere })} />
        )}
        {isEmpty && isWholeTrash && (
          <Empty icon={<Trash2 aria-hidden />} title={texts.emptyTrash.title}>
            {texts.emptyTrash.note(TRASH_DAYS)}
          </Empty>
        )}
        {isEmpty && isFiltered(filter) && !isWholeTrash && (
          <Empty
            icon={<SearchX aria-hidden />}
            title={texts.noMatch.title}
            action={<Button onClick={() => changeFilter(noFilter)}>{texts.noMatch.clear}</Button>}
          >
            {texts.noMatch.note}
          </Empty>
        )}
        {links.length > 0 && (
          <TagTints value={tagTint}>
            <LinkList
              links={links}
              filter={list.shownFilter}
              hasMore={hasNextPage}
              onNearEnd={loadMore}
              mayChange={mayChange}
              changes={changes}
              selection={selection}
              onOpen={openLink}
              reportHref={reportHref}
              handle={rows}
              onApproach={loadLinkDialog}
            />
          </TagTints>
        )}
        <MoreButton query={list} />
      </Panel>
      <Suspense>
        {mayChange && hasSelected && (
          <BulkBar
            filter={filter}
            count={count.selectable}
            isComplete={!hasNextPage}
            selection={selection}
            onLeave={focusAgain}
          />
        )}
      </Suspense>
      <Suspense>
        {(isMaking || search.edit) && (
          <LinkDialog
            key={search.edit ?? search.copy ?? "new"}
            linkId={search.edit ?? null}
            copyOf={search.copy ?? null}
            destination={pasted}
            onCreated={setCreated}
            readOnly={!mayChange}
            onClose={closeDialog}
          />
        )}
        {search.qr && <QrDialog key={search.qr} linkId={search.qr} onClose={closeDialog} />}
        {search.history && <HistoryDialog key={search.history} linkId={search.history} onClose={closeDialog} />}
      </Suspense>
      {/* Beneath an open dialog it could not take the focus. */}
      {created && !isMaking && selection.selected.length === 0 && (
        <Suspense key={`created ${created.id}`}>
          <CreatedCard link={created} onQr={() => openLink({ qr: created.id })} onClose={() => setCreated(null)} />
        </Suspense>
      )}
    </>
  );
}

/** The same object while the address says the same, so that a list is not another one with every dialog. */
function useFilter(search: LinkListSearch): LinkFilter {
  const text = JSON.stringify(filterOf(search));
  return useMemo(() => JSON.parse(text) as LinkFilter, [text]);
}
