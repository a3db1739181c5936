import { classes } from "#console/ui/classes.ts";

/** In a square of 24, as those of the icon library. */
const paths = {
  actions: "M5 12h.01M12 12h.01M19 12h.01",
  clicks: "M5 21v-6M12 21V3M19 21V9",
  copied: "M20 6 9 17l-5-5",
  copy: "M10 8h10a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H10a2 2 0 0 1-2-2V10a2 2 0 0 1 2-2zM4 16a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2h10a2 2 0 0 1 2 2",
  edit: "M21.2 6.8a2.8 2.8 0 0 0-4-4L3.8 16.2a2 2 0 0 0-.5.8L2 21.4a.5.5 0 0 0 .6.6L7 20.7a2 2 0 0 0 .8-.5zM15 5l4 4",
  leadsTo: "m15 10 5 5-5 5M4 4v7a4 4 0 0 0 4 4h12",
} as const;

interface RowIconProps {
  readonly name: keyof typeof paths;
  readonly className: string;
}

/**
 * What stands in every row of the list. A list has dozens of them, so each is one component and a single path; the
 * library's are two components, and up to four elements.
 */
export const RowIcon = ({ name, className }: RowIconProps) => (
  <svg viewBox="0 0 24 24" aria-hidden className={classes("row-icon", className)}>
    <path d={paths[name]} />
  </svg>
);
