import type { LucideIcon } from "lucide-react";
import type { ComponentProps } from "react";
import { Button } from "#console/ui/button.tsx";
import { classes } from "#console/ui/classes.ts";

interface BulkButtonProps extends ComponentProps<"button"> {
  readonly label: string;
  readonly icon: LucideIcon;
  readonly isDanger?: boolean;
}

/** One thing to do with all selected links. On a phone its name is below its icon, so that more fit in a line. */
export const BulkButton = ({ label, icon: Icon, isDanger = false, ...button }: BulkButtonProps) => (
  <Button
    {...button}
    look="quiet"
    size="small"
    className={classes(
      "max-sm:h-12 max-sm:grow max-sm:flex-col max-sm:gap-0.5 max-sm:px-1.5 max-sm:text-xs",
      isDanger && "text-bad! hover:bg-bad-soft!",
    )}
  >
    <Icon className="size-4" aria-hidden />
    {label}
  </Button>
);
