import type { ReactNode } from "react";
import { Button } from "#console/ui/button.tsx";
import { classes } from "#console/ui/classes.ts";
import { uiTexts } from "#texts/ui.ts";

interface MissingNoteProps {
  readonly children: ReactNode;
  readonly onRetry: () => void;
  readonly className?: string;
}

/** What a part of the report does without. */
export const MissingNote = ({ children, onRetry, className }: MissingNoteProps) => (
  <p className={classes("flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-soft", className)}>
    {children}
    <Button size="small" onClick={onRetry}>
      {uiTexts.tryAgain}
    </Button>
  </p>
);
