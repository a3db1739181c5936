import { LoaderCircle } from "lucide-react";
import type { ComponentProps } from "react";
import { classes } from "./classes.ts";

const looks = {
  primary: "bg-accent-fill text-on-accent shadow-raised hover:bg-accent-fill-hover",
  plain: "border border-line-strong bg-card text-text shadow-card hover:bg-hover",
  quiet: "text-soft hover:bg-hover hover:text-text",
  danger: "border border-line-strong bg-card text-bad hover:border-bad hover:bg-bad-soft",
} as const;

const sizes = {
  small: "h-8 px-2.5 text-sm gap-1.5",
  normal: "h-control px-3.5 gap-2",
  icon: "size-control justify-center",
} as const;

export interface ButtonLook {
  readonly look?: keyof typeof looks;
  readonly size?: keyof typeof sizes;
}

/** The looks alone, for links that act as buttons. */
export const buttonClasses = ({ look = "plain", size = "normal" }: ButtonLook = {}): string =>
  classes(
    "inline-flex shrink-0 items-center justify-center rounded-lg font-medium whitespace-nowrap transition-colors",
    "disabled:pointer-events-none disabled:opacity-55",
    looks[look],
    sizes[size],
  );

interface ButtonProps extends ComponentProps<"button">, ButtonLook {
  /** The click is being carried out: a second one does nothing. */
  readonly busy?: boolean;
}

export function Button({ look, size, busy = false, className, children, type = "button", ...rest }: ButtonProps) {
  return (
    <button
      type={type}
      {...rest}
      disabled={rest.disabled === true || busy}
      aria-busy={busy}
      className={classes(buttonClasses({ ...(look && { look }), ...(size && { size }) }), className)}
    >
      {busy && <LoaderCircle className="size-4 animate-spin" aria-hidden />}
      {children}
    </button>
  );
}
