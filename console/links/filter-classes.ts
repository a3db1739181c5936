import { classes } from "#console/ui/classes.ts";

/** A filter as a button, marked while it filters. */
export const filterClasses = (isSet: boolean): string =>
  classes(
    "inline-flex h-9 shrink-0 items-center gap-1.5 rounded-lg border px-3 text-sm whitespace-nowrap",
    "[&>svg]:size-4 [&>svg]:shrink-0",
    isSet
      ? "border-accent bg-accent-soft font-medium text-accent"
      : "border-line-strong bg-card text-soft hover:bg-hover hover:text-text",
  );
