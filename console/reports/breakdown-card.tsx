import { memo, Suspense, useState } from "react";
import { lazyPart } from "#console/api/load-part.ts";
import { Button } from "#console/ui/button.tsx";
import { classes } from "#console/ui/classes.ts";
import { Failure } from "#console/ui/failure.tsx";
import { Panel, Skeleton } from "#console/ui/panel.tsx";
import type { AccountDimension } from "#contract/analytics.ts";
import { dimensionTexts } from "#texts/dimensions.ts";
import { reportTexts } from "#texts/reports.ts";
import { uiTexts } from "#texts/ui.ts";
import { BreakdownList } from "./breakdown-list.tsx";
import type { CardGroup } from "./dimensions.ts";
import { useReportScope } from "./report-context.tsx";
import { valuesOf } from "./report-search.ts";
import { Tabs } from "./tabs.tsx";
import { CARD_LIMIT, useBreakdown, useKnownDimensions } from "./use-report.ts";

const BreakdownDialog = lazyPart(() => import("./breakdown-dialog.tsx"), "BreakdownDialog");

const WorldMap = lazyPart(() => import("./map/world-map.tsx"), "WorldMap");

const texts = reportTexts.cards;

interface BreakdownCardProps {
  readonly group: CardGroup;
}

/** Lists of values that belong together, one at a time. */
export const BreakdownCard = memo(function BreakdownCard({ group }: BreakdownCardProps) {
  const { dimensions, isRare, rare = [], isWide, hasMap } = group;
  const { source, search, show } = useReportScope();
  const [isOpen, setOpen] = useState(false);
  const known = useKnownDimensions(source, search, rare);
  const dimension = dimensions.find((name) => search.tab?.includes(name)) ?? dimensions[0];
  const tabs = dimensions.filter(
    (name) => !rare.includes(name) || known.includes(name) || name === dimension || valuesOf(search, name).length > 0,
  );
  const { data, error, isPlaceholderData, refetch } = useBreakdown(source, search, dimension);
  const isNarrowed = valuesOf(search, dimension).length > 0;
  const hasMore = data !== undefined && (isNarrowed || data.other_clicks > 0 || data.items.length >= CARD_LIMIT);
  // Where even the first values have too few visitors to be listed, those after them do, too.
  const hasDetails = data !== undefined && (data.items.length > 0 || (hasMore && !source.hidesRare));
  const hasValues = data?.items.some(({ key }) => key !== null) ?? false;
  if (isRare && !hasValues && !isNarrowed) return null;

  function choose(next: AccountDimension): void {
    show(
      ({ tab: before = [], ...rest }) => {
        const others = before.filter((name) => !dimensions.includes(name));
        const tab = next === dimensions[0] ? others : [...others, next];
        return tab.length === 0 ? rest : { ...rest, tab };
      },
      { replace: true },
    );
  }

  const list = (
    <>
      <Tabs
        title={texts.titles[group.name]}
        tabs={tabs.map((name) => ({ name, label: dimensionTexts[name].label }))}
        chosen={dimension}
        onChoose={choose}
      >
        <div
          aria-busy={isPlaceholderData}
          className={classes("min-h-28 px-3 pt-1 transition-opacity", isPlaceholderData && "opacity-50")}
        >
          {data ? (
            <BreakdownList dimension={dimension} breakdown={data} />
          ) : error ? (
            <Failure error={error} onRetry={refetch} />
          ) : (
            <ListSkeleton />
          )}
        </div>
      </Tabs>
      <div className="mt-auto flex h-12 items-center px-3 pb-2" data-screen-only>
        {hasDetails && (
          <Button
            look="quiet"
            size="small"
            onClick={() => setOpen(true)}
            aria-haspopup="dialog"
            aria-label={(hasMore ? texts.showAllOf : texts.detailsOf)(dimensionTexts[dimension].label)}
          >
            {hasMore ? texts.showAll : texts.details}
          </Button>
        )}
      </div>
      {isOpen && (
        <Suspense>
          <BreakdownDialog dimension={dimension} isLong={hasMore} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
  if (!hasMap) return <Panel className={classes("flex min-w-0 flex-col", isWide && "lg:col-span-2")}>{list}</Panel>;
  return (
    <Panel className="grid min-w-0 grid-cols-[minmax(0,1fr)] lg:col-span-2 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <div className="self-center px-5 pt-5 lg:py-5">
        <Suspense fallback={<MapSkeleton />}>
          <WorldMap />
        </Suspense>
      </div>
      <div className="flex min-w-0 flex-col border-line lg:border-l">{list}</div>
    </Panel>
  );
});

/** As high as the map and its legend. */
const MapSkeleton = () => (
  <output className="block" aria-label={reportTexts.map.loading}>
    <Skeleton className="mb-8 aspect-[929/430] w-full" />
  </output>
);

const ListSkeleton = () => (
  <output className="block space-y-1" aria-label={uiTexts.loading}>
    {["w-full", "w-4/5", "w-3/5"].map((width) => (
      <Skeleton key={width} className={classes("h-8", width)} />
    ))}
  </output>
);
