import { type FormEvent, useState } from "react";
import { Button } from "#console/ui/button.tsx";
import { Dialog, DialogFooter } from "#console/ui/dialog.tsx";
import { TextField } from "#console/ui/field.tsx";
import { addDays, dateIn } from "./dates.ts";
import { withRange } from "./range-picker.tsx";
import { useReportScope } from "./report-context.tsx";
import { readTimeZone } from "./time-zone.ts";

const DAYS_BACK = 6;

/** People name the last day that they want to see; the address and the API name the first that they do not. */
export function CustomRangeDialog({ onClose }: { readonly onClose: () => void }) {
  const { search, show } = useReportScope();
  const today = dateIn(search.timezone ?? readTimeZone());
  const [first, setFirst] = useState(search.from ?? addDays(today, -DAYS_BACK));
  const [last, setLast] = useState(search.to ? addDays(search.to, -1) : today);
  const problem = first !== "" && last !== "" && last < first ? "Lies before the first day." : undefined;

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (problem !== undefined) return;
    show(withRange(search, { from: first, to: addDays(last, 1) }));
    onClose();
  }

  const date = { type: "date", required: true, max: today } as const;
  return (
    <Dialog title="Custom range" open onClose={onClose}>
      <form onSubmit={submit}>
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField label="First day" {...date} value={first} onChange={(event) => setFirst(event.target.value)} />
          <TextField
            label="Last day"
            {...date}
            value={last}
            error={problem}
            onChange={(event) => setLast(event.target.value)}
          />
        </div>
        <DialogFooter>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary">
            Show
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
