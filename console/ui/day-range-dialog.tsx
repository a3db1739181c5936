import { type FormEvent, useState } from "react";
import { dayRangeTexts as texts } from "#texts/day-range.ts";
import { uiTexts } from "#texts/ui.ts";
import { Button } from "./button.tsx";
import { addDays, type DayRange } from "./days.ts";
import { Dialog, DialogFooter } from "./dialog.tsx";
import { TextField } from "./field.tsx";

interface DayRangeDialogProps {
  readonly range: DayRange | null;
  /** No later day can be chosen. */
  readonly today: string;
  readonly onChoose: (range: DayRange) => void;
  readonly onClose: () => void;
}

const DAYS_BACK = 6;

/** People name the last day that they want to see; addresses and the API name the first that they do not. */
export function DayRangeDialog({ range, today, onChoose, onClose }: DayRangeDialogProps) {
  const [first, setFirst] = useState(range?.from ?? addDays(today, -DAYS_BACK));
  const [last, setLast] = useState(range ? addDays(range.to, -1) : today);
  const problem = first !== "" && last !== "" && last < first ? texts.beforeFirst : undefined;

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (problem !== undefined) return;
    onChoose({ from: first, to: addDays(last, 1) });
    onClose();
  }

  const day = { type: "date", required: true, max: today } as const;
  return (
    <Dialog title={texts.title} open onClose={onClose}>
      <form onSubmit={submit}>
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField label={texts.first} {...day} value={first} onChange={(event) => setFirst(event.target.value)} />
          <TextField
            label={texts.last}
            {...day}
            value={last}
            error={problem}
            onChange={(event) => setLast(event.target.value)}
          />
        </div>
        <DialogFooter>
          <Button onClick={onClose}>{uiTexts.cancel}</Button>
          <Button type="submit" look="primary">
            {texts.show}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
