import { CalendarDays, ChevronDown } from "lucide-react";
import { Suspense, useState } from "react";
import { lazyPart } from "#console/api/load-part.ts";
import { Button } from "#console/ui/button.tsx";
import { dayIn, readDayRange } from "#console/ui/days.ts";
import { Menu, MenuItem, MenuLine } from "#console/ui/menu.tsx";
import { reportTexts } from "#texts/reports.ts";
import { rangeNames } from "./named-ranges.ts";
import { chosenRange, describeRange } from "./range-words.ts";
import { useReportScope } from "./report-context.tsx";
import { withRange } from "./report-search.ts";
import { zoneOf } from "./time-zone.ts";

const DayRangeDialog = lazyPart(() => import("#console/ui/day-range-dialog.tsx"), "DayRangeDialog");

const texts = reportTexts.range;

export function RangePicker() {
  const { search, show } = useReportScope();
  const [isCustom, setCustom] = useState(false);
  const range = chosenRange(search);
  const label = describeRange(search, zoneOf(search));
  return (
    <>
      <Menu
        label={texts.title}
        trigger={
          <Button aria-label={texts.titleOf(label)}>
            <CalendarDays className="size-4 text-faint" aria-hidden />
            {label}
            <ChevronDown className="size-4 text-faint" aria-hidden />
          </Button>
        }
      >
        {rangeNames.map((name) => (
          <MenuItem
            key={name}
            chosen={name === range}
            onSelect={() => show((before) => withRange(before, { interval: name }))}
          >
            {texts.names[name]}
          </MenuItem>
        ))}
        <MenuLine />
        <MenuItem chosen={range === undefined} onSelect={() => setCustom(true)}>
          {texts.choose}
        </MenuItem>
      </Menu>
      {isCustom && (
        <Suspense>
          <DayRangeDialog
            range={readDayRange(search) ?? null}
            today={dayIn(zoneOf(search))}
            onChoose={(chosen) => show((before) => withRange(before, chosen))}
            onClose={() => setCustom(false)}
          />
        </Suspense>
      )}
    </>
  );
}
