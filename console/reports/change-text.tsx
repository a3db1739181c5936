import { ArrowDown, ArrowUp } from "lucide-react";
import { classes } from "#console/ui/classes.ts";
import { formatExact } from "#console/ui/format.ts";
import { reportTexts } from "#texts/reports.ts";
import { describeChange } from "./numbers.ts";

const texts = reportTexts.total;

interface ChangeTextProps {
  readonly value: number;
  readonly before: number;
  readonly period: string;
  /** Whether more of it is good news. */
  readonly isGood: boolean;
}

/** How a figure compares with the one of the period before. */
export function ChangeText({ value, before, period, isGood }: ChangeTextProps) {
  const { text, direction } = describeChange(value, before);
  const title = texts.before(formatExact(before), period);
  if (direction === "same") {
    return (
      <span className="text-faint" title={title}>
        {text}
      </span>
    );
  }
  const Icon = direction === "up" ? ArrowUp : ArrowDown;
  const tone = !isGood ? "text-soft" : direction === "up" ? "text-good" : "text-bad";
  return (
    <span className={classes("inline-flex items-center gap-0.5", tone)} title={title}>
      <Icon className="size-3.5" aria-hidden />
      <span className="sr-only">{direction === "up" ? texts.up : texts.down}</span>
      {text}
    </span>
  );
}
