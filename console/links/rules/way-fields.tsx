import { Split, X } from "lucide-react";
import { Button } from "#console/ui/button.tsx";
import { classes } from "#console/ui/classes.ts";
import { inputClasses } from "#console/ui/field.tsx";
import { WAYS_MAX } from "#contract/rules.ts";
import { nameGiven, newWay, percentagesOf, toName, type WayValues } from "./rule-values.ts";
import { formatShare } from "./rule-words.ts";

interface WayFieldsProps {
  /** Where the rule stands, as in `rules.0`. */
  readonly place: string;
  readonly ways: readonly WayValues[];
  readonly onChange: (ways: readonly WayValues[]) => void;
  readonly complete: (address: string) => string;
  readonly problemUnder: (field: string) => string | undefined;
  readonly hasConditions: boolean;
}

/** Where visitors go: one address, or several by weight. */
export function WayFields({ place, ways, onChange, complete, problemUnder, hasConditions }: WayFieldsProps) {
  const shares = percentagesOf(ways);
  const isSplit = ways.length > 1;
  const change = (key: string, some: Partial<WayValues>) =>
    onChange(ways.map((way) => (way.key === key ? { ...way, ...some } : way)));
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2 max-sm:gap-3.5">
      <span className="text-sm text-soft" aria-hidden>
        {isSplit ? "split visitors between" : hasConditions ? "go to" : "Everyone goes to"}
      </span>
      {ways.map((way, index) => {
        const frame = isSplit ? `${place}.split.${index}` : place;
        const problem = problemUnder(`${frame}.destination_url`);
        const weightProblem = isSplit ? problemUnder(`${frame}.weight`) : undefined;
        const nameProblem = isSplit ? problemUnder(`${frame}.name`) : undefined;
        const name = isSplit ? `Destination ${index + 1}` : "Rule destination";
        const anyProblem = problem ?? weightProblem ?? nameProblem;
        return (
          <div key={way.key}>
            <div className="flex flex-wrap items-center gap-2">
              <input
                type="url"
                inputMode="url"
                aria-label={name}
                aria-invalid={problem !== undefined}
                autoComplete="off"
                placeholder="https://example.com/page"
                className={classes(inputClasses, "min-w-0 grow basis-44 text-sm max-sm:basis-full")}
                value={way.destination_url}
                onChange={(event) => change(way.key, { destination_url: event.target.value })}
                onBlur={() => change(way.key, { destination_url: complete(way.destination_url) })}
              />
              {isSplit && (
                <input
                  aria-label={`Name of destination ${index + 1}`}
                  aria-invalid={nameProblem !== undefined}
                  autoComplete="off"
                  autoCapitalize="off"
                  spellCheck={false}
                  maxLength={32}
                  placeholder={nameGiven(ways, index, "way")}
                  className={classes(inputClasses, "w-28! min-w-0 text-sm max-sm:flex-1")}
                  value={way.name}
                  onChange={(event) => change(way.key, { name: toName(event.target.value) })}
                />
              )}
              {isSplit && (
                <div className="flex items-center gap-2">
                  <input
                    type="number"
                    min={1}
                    max={1000}
                    aria-label={`Weight of destination ${index + 1}`}
                    aria-invalid={weightProblem !== undefined}
                    className={classes(inputClasses, "w-20! text-sm max-sm:w-16!")}
                    value={way.weight}
                    onChange={(event) => change(way.key, { weight: event.target.value })}
                  />
                  <output className="w-11 text-right text-sm font-medium" aria-label="Share of visitors">
                    {formatShare(shares[index] ?? 0)}
                  </output>
                  <Button
                    look="quiet"
                    size="icon"
                    aria-label={`Remove destination ${index + 1}`}
                    onClick={() => onChange(ways.filter(({ key }) => key !== way.key))}
                  >
                    <X className="size-4" aria-hidden />
                  </Button>
                </div>
              )}
            </div>
            {anyProblem && <p className="mt-1 text-sm text-bad">{anyProblem}</p>}
          </div>
        );
      })}
      {isSplit && (
        <p className="text-sm text-soft">
          Each visitor keeps their destination for the day, without a cookie. Reports show the names.
        </p>
      )}
      {ways.length < WAYS_MAX && (
        <Button
          look="quiet"
          size="small"
          className="-ml-2.5 justify-self-start"
          onClick={() => onChange([...ways, newWay()])}
        >
          <Split className="size-4" aria-hidden />
          {isSplit ? "Add destination" : "Split between destinations"}
        </Button>
      )}
    </div>
  );
}
