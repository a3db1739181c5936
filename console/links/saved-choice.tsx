import { Check, Trash2 } from "lucide-react";
import { Button } from "#console/ui/button.tsx";
import { classes } from "#console/ui/classes.ts";

interface SavedChoiceProps {
  readonly name: string;
  readonly isCurrent: boolean;
  readonly onChoose: () => void;
  readonly deleteLabel: string;
  readonly onDelete: () => void;
}

/** Something that people saved under a name: chosen by it, and deleted beside it. */
export const SavedChoice = ({ name, isCurrent, onChoose, deleteLabel, onDelete }: SavedChoiceProps) => (
  <li className="flex items-center gap-1">
    <button
      type="button"
      aria-current={isCurrent || undefined}
      onClick={onChoose}
      className="flex h-9 min-w-0 grow items-center gap-2.5 rounded-lg px-2 text-left text-sm hover:bg-hover"
    >
      <Check className={classes("size-4 shrink-0 text-accent", !isCurrent && "invisible")} aria-hidden />
      <span className="truncate">{name}</span>
    </button>
    <Button look="quiet" size="icon" aria-label={deleteLabel} onClick={onDelete}>
      <Trash2 className="size-4" aria-hidden />
    </Button>
  </li>
);
