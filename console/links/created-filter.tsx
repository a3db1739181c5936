import { CalendarDays } from "lucide-react";
import { Suspense, useState } from "react";
import { lazyPart } from "#console/api/load-part.ts";
import { type DayRange, dayIn, formatDays, localZone } from "#console/ui/days.ts";
import { MenuItem, MenuLine } from "#console/ui/menu.tsx";
import { FilterMenu } from "./filter-menu.tsx";
import { type Age, ages, type LinkFilter } from "./link-list-search.ts";

const DayRangeDialog = lazyPart(() => import("#console/ui/day-range-dialog.tsx"), "DayRangeDialog");

const ageLabels: Readonly<Record<Age, string>> = {
  today: "Today",
  "7d": "Last 7 days",
  "30d": "Last 30 days",
  "90d": "Last 90 days",
  "365d": "Last 12 months",
};

interface CreatedFilterProps {
  readonly filter: LinkFilter;
  readonly onChoose: (created: Age | undefined, range: DayRange | undefined) => void;
}

/** When links were made: so many days ago at most, or from one day to another. */
export function CreatedFilter({ filter: { created, from, to }, onChoose }: CreatedFilterProps) {
  const [isOpen, setOpen] = useState(false);
  const range = from !== undefined && to !== undefined ? { from, to } : null;
  return (
    <>
      <FilterMenu
        name="Created"
        icon={<CalendarDays aria-hidden />}
        value={created}
        none="Any time"
        labels={ageLabels}
        all={ages}
        onChoose={(age) => onChoose(age, undefined)}
        other={range ? formatDays(range) : undefined}
      >
        <MenuLine />
        <MenuItem chosen={range !== null} onSelect={() => setOpen(true)}>
          Custom range…
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
