import { type KeyboardEvent, memo, type SyntheticEvent, useId, useState } from "react";
import { classes } from "#console/ui/classes.ts";
import { Failure } from "#console/ui/failure.tsx";
import { reportTexts } from "#texts/reports.ts";
import { nameValue } from "../dimensions.ts";
import { formatShare } from "../numbers.ts";
import { useReportScope } from "../report-context.tsx";
import type { Breakdown } from "../report-query.ts";
import { type ReportSearch, valuesOf } from "../report-search.ts";
import { shadeOf } from "../shades.ts";
import { DIALOG_LIMIT, useBreakdown } from "../use-report.ts";
import { CountryShape } from "./country-shape.tsx";
import { MapLegend } from "./map-legend.tsx";
import { MAP_HEIGHT, MAP_WIDTH, outlines, spots } from "./world-outlines.ts";

const texts = reportTexts.map;

/** A country with clicks. */
interface Country {
  readonly code: string;
  readonly clicks: number;
  /** Its name, clicks and share. */
  readonly words: string;
}

const NO_CLICKS: Breakdown = { items: [], other_clicks: 0 };
const codes = [...Object.keys(outlines), ...Object.keys(spots)];

/**
 * Clicks by country. Its own filter doesn't narrow it, so that more countries can be chosen. One stop for the keyboard:
 * the arrows go from country to country, the most clicks first.
 */
export const WorldMap = memo(function WorldMap() {
  const { source, search, toggle } = useReportScope();
  const { country: _, ...others } = search;
  const open: ReportSearch = others;
  const { data, error, isPlaceholderData, refetch } = useBreakdown(source, open, "country", { limit: DIALOG_LIMIT });
  const [at, setAt] = useState<string | null>(null);
  const id = useId();
  const countries = toCountries(data ?? NO_CLICKS);
  const byCode = new Map(countries.map((country) => [country.code, country]));
  const greatest = countries[0]?.clicks ?? 0;
  const chosen = valuesOf(search, "country");
  const here = at === null ? undefined : byCode.get(at);

  function press(event: KeyboardEvent): void {
    const index = countries.findIndex(({ code }) => code === at);
    const goals: Readonly<Record<string, number>> = {
      ArrowRight: index + 1,
      ArrowDown: index + 1,
      ArrowLeft: index - 1,
      ArrowUp: index - 1,
      Home: 0,
      End: countries.length - 1,
    };
    const goal = goals[event.key];
    if (goal !== undefined) setAt(countries[Math.min(countries.length - 1, Math.max(0, goal))]?.code ?? null);
    else if ((event.key === "Enter" || event.key === " ") && here) toggle("country", here.code);
    else if (event.key === "Escape") setAt(null);
    else return;
    event.preventDefault();
  }

  if (error && !data) return <Failure error={error} onRetry={refetch} />;
  // What is marked comes last, so that its border lies above those of its neighbours.
  const isMarked = (code: string): boolean => code === here?.code || chosen.includes(code);
  const drawn = codes.toSorted((a, b) => Number(isMarked(a)) - Number(isMarked(b)));
  return (
    <div className={classes("transition-opacity", isPlaceholderData && "opacity-50")} aria-busy={!data}>
      <div
        role="listbox"
        tabIndex={0}
        aria-label={texts.title}
        aria-multiselectable
        aria-activedescendant={here && `${id}-${here.code}`}
        onFocus={(event) => event.currentTarget.matches(":focus-visible") && setAt(countries[0]?.code ?? null)}
        onBlur={() => setAt(null)}
        onKeyDown={press}
        onPointerMove={(event) => setAt(codeAt(event))}
        onPointerLeave={() => setAt(null)}
        onClick={(event) => {
          const code = codeAt(event);
          if (code !== null) toggle("country", code);
        }}
        className="rounded-lg"
      >
        <svg viewBox={`0 0 ${MAP_WIDTH} ${MAP_HEIGHT}`} className="block w-full" role="presentation">
          {drawn.map((code) => {
            const country = byCode.get(code);
            return (
              <CountryShape
                key={code}
                code={code}
                id={`${id}-${code}`}
                words={country?.words}
                shade={shadeOf(country?.clicks ?? 0, greatest)}
                isMarked={isMarked(code)}
                isChosen={chosen.includes(code)}
                canChoose={source.canFilter}
              />
            );
          })}
        </svg>
      </div>
      <MapLegend words={here?.words} />
    </div>
  );
});

/** Those that are on the map, the most clicks first. */
function toCountries({ items, other_clicks }: Breakdown): readonly Country[] {
  const total = items.reduce((sum, { clicks }) => sum + clicks, other_clicks);
  return items.flatMap(({ key, clicks }) => {
    if (key === null || !codes.includes(key)) return [];
    const words = texts.country(nameValue("country", key), clicks, formatShare(clicks, total));
    return [{ code: key, clicks, words }];
  });
}

/** The country under the pointer, if it has clicks. */
const codeAt = ({ target }: SyntheticEvent): string | null =>
  target instanceof SVGElement ? (target.dataset.country ?? null) : null;
