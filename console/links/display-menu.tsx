import { SlidersHorizontal } from "lucide-react";
import { Button } from "#console/ui/button.tsx";
import { CheckRow, ChoiceGroup } from "#console/ui/check-row.tsx";
import { Popover } from "#console/ui/popover.tsx";
import { linkTexts } from "#texts/links.ts";
import { changeDisplay, useListDisplay } from "./list-display.ts";

const { display: texts } = linkTexts;

/** How rows look, and what they show. Phones have no room to choose. */
export const DisplayMenu = () => (
  <Popover
    label={texts.label}
    className="w-64 p-4"
    trigger={
      <Button look="quiet" size="small" className="max-sm:hidden">
        <SlidersHorizontal className="size-4" aria-hidden />
        {texts.label}
      </Button>
    }
  >
    <Choices />
  </Popover>
);

const columns = ["tags", "chart", "created"] as const;

function Choices() {
  const display = useListDisplay();
  return (
    <div className="flex flex-col gap-4">
      <ChoiceGroup legend={texts.rows}>
        {[false, true].map((isCompact) => (
          <CheckRow
            key={String(isCompact)}
            type="radio"
            name="rows"
            label={isCompact ? texts.compact : texts.comfortable}
            checked={display.isCompact === isCompact}
            onChange={() => changeDisplay({ isCompact })}
          />
        ))}
      </ChoiceGroup>
      <ChoiceGroup legend={texts.show}>
        {columns.map((column) => (
          <CheckRow
            key={column}
            label={texts.columns[column]}
            checked={display[column]}
            onChange={(checked) => changeDisplay({ [column]: checked })}
          />
        ))}
      </ChoiceGroup>
    </div>
  );
}
