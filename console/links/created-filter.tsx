import { CalendarDays } from "lucide-react";
import { Suspense, useState } from "react";
import { lazyPart } from "#console/api/load-part.ts";
import { type DayRange, dayIn, formatDays, localZone, monthBefore } from "#console/ui/days.ts";
import { MenuItem, MenuLine } from "#console/ui/menu.tsx";
import { linkTexts as texts } from "#texts/links.ts";
import { FilterMenu } from "./filter-menu.tsx";
import { type Age, ages, type LinkFilter } from "./link-list-search.ts";

const DayRangeDialog = lazyPart(() => import("#console/ui/day-range-dialog.tsx"), "DayRangeDialog");

const { filters } = texts;
const ageLabels: Readonly<Record<Age, string>> = filters.ages;

interface CreatedFilterProps {
  readonly filter: LinkFilter;
  readonly onChoose: (created: Age | undefined, range: DayRange | undefined) => void;
}

/** When links were made: so many days ago at most, or from one day to another. */
export function CreatedFilter({ filter: { created, from, to }, onChoose }: CreatedFilterProps) {
  const [isOpen, setOpen] = useState(false);
  const range = from !== undefined && to !== undefined ? { from, to } : null;
  const lastMonth = findLastMonth();
  const isLastMonth = range?.from === lastMonth.from && range.to === lastMonth.to;
  return (
    <>
      <FilterMenu
        name={filters.created}
        icon={<CalendarDays aria-hidden />}
        value={created}
        none={filters.createdNone}
        labels={ageLabels}
        all={ages}
        onChoose={(age) => onChoose(age, undefined)}
        other={isLastMonth ? filters.lastMonth : range ? formatDays(range) : undefined}
      >
        <MenuLine />
        <MenuItem chosen={isLastMonth} onSelect={() => onChoose(undefined, findLastMonth())}>
          {filters.lastMonth}
        </MenuItem>
        <MenuItem chosen={range !== null && !isLastMonth} onSelect={() => setOpen(true)}>
          {filters.customRange}
        </MenuItem>
      </FilterMenu>
      {isOpen && (
        <Suspense>
          <DayRangeDialog
            range={range}
            today={dayIn(localZone())}
            onChoose={(chosen) => onChoose(undefined, chosen)}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  );
}

const findLastMonth = (): DayRange => monthBefore(dayIn(localZone()));
