import { memo } from "react";
import { classes } from "#console/ui/classes.ts";
import { outlines, spots } from "./world-outlines.ts";

/** From no clicks to the most. Written out, since the style sheet is made from what the code says. */
export const shadeFills = [
  "fill-line",
  "fill-accent/20",
  "fill-accent/35",
  "fill-accent/50",
  "fill-accent/65",
  "fill-accent/80",
  "fill-accent",
] as const;

interface CountryShapeProps {
  readonly code: string;
  readonly id: string;
  /** Nothing without clicks: then it is scenery. */
  readonly words: string | undefined;
  readonly shade: number;
  readonly isMarked: boolean;
  readonly isChosen: boolean;
  readonly canChoose: boolean;
}

const SPOT_RADIUS = 4;

/** One of hundreds: only those that change are rendered again, and fading their colours would restyle all in each frame. */
export const CountryShape = memo(({ code, id, words, shade, isMarked, isChosen, canChoose }: CountryShapeProps) => {
  const spot = spots[code];
  // An island of a few pixels is only of interest if someone clicked there.
  if (spot && words === undefined) return null;
  const shape = {
    strokeWidth: isMarked ? 1.5 : 0.6,
    className: classes(
      shadeFills[shade],
      isMarked ? "stroke-text" : "stroke-card",
      canChoose && words !== undefined && "cursor-pointer",
    ),
    ...(words === undefined
      ? { "aria-hidden": true }
      : { id, role: "option", "data-country": code, "aria-label": words, "aria-selected": isChosen }),
  };
  return spot ? (
    <circle cx={spot[0]} cy={spot[1]} r={SPOT_RADIUS} {...shape} />
  ) : (
    <path d={outlines[code]} {...shape} />
  );
});
