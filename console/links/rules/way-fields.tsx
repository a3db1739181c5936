import { Split, X } from "lucide-react";
import { Button } from "#console/ui/button.tsx";
import { classes } from "#console/ui/classes.ts";
import { inputClasses } from "#console/ui/field.tsx";
import { WAYS_MAX, WEIGHT_MAX } from "#contract/rules.ts";
import { ruleTexts } from "#texts/rules.ts";
import { nameGiven, newWay, percentagesOf, toName, type WayValues } from "./rule-values.ts";
import { formatShare } from "./rule-words.ts";

const { ways: texts } = ruleTexts;

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
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2 max-sm:gap-3.5">
      <span className="text-sm text-soft" aria-hidden>
        {isSplit ? texts.split : hasConditions ? texts.go : texts.everyone}
      </span>
      {ways.map((way, index) => (
        <WayRow
          key={way.key}
          way={way}
          number={isSplit ? index + 1 : null}
          nameGiven={nameGiven(ways, index, "way")}
          share={shares[index] ?? 0}
          complete={complete}
          problemOf={(field) => problemUnder(`${isSplit ? `${place}.split.${index}` : place}.${field}`)}
          onChange={(some) => onChange(ways.map((other) => (other === way ? { ...way, ...some } : other)))}
          onRemove={() => onChange(ways.filter((other) => other !== way))}
        />
      ))}
      {isSplit && <p className="text-sm text-soft">{texts.note}</p>}
      {ways.length < WAYS_MAX && (
        <Button
          look="quiet"
          size="small"
          className="-ml-2.5 justify-self-start"
          onClick={() => onChange([...ways, newWay()])}
        >
          <Split className="size-4" aria-hidden />
          {isSplit ? texts.add : texts.startSplit}
        </Button>
      )}
    </div>
  );
}

interface WayRowProps {
  readonly way: WayValues;
  /** Among the ways of a split; `null` for the only one. */
  readonly number: number | null;
  /** What the server calls it while it has no name. */
  readonly nameGiven: string;
  readonly share: number;
  readonly complete: (address: string) => string;
  readonly problemOf: (field: "destination_url" | "name" | "weight") => string | undefined;
  readonly onChange: (some: Partial<WayValues>) => void;
  readonly onRemove: () => void;
}

function WayRow({ way, number, nameGiven, share, complete, problemOf, onChange, onRemove }: WayRowProps) {
  const addressProblem = problemOf("destination_url");
  const nameProblem = number === null ? undefined : problemOf("name");
  const weightProblem = number === null ? undefined : problemOf("weight");
  const problem = addressProblem ?? nameProblem ?? weightProblem;
  return (
    <div>
      <div className="flex flex-wrap items-center gap-2">
        <input
          type="url"
          inputMode="url"
          aria-label={number === null ? texts.only : texts.destination(number)}
          aria-invalid={addressProblem !== undefined}
          autoComplete="off"
          placeholder="https://example.com/page"
          className={classes(inputClasses, "min-w-0 grow basis-44 text-sm max-sm:basis-full")}
          value={way.destination_url}
          onChange={(event) => onChange({ destination_url: event.target.value })}
          onBlur={() => {
            const whole = complete(way.destination_url);
            if (whole !== way.destination_url) onChange({ destination_url: whole });
          }}
        />
        {number !== null && (
          <>
            <input
              aria-label={texts.name(number)}
              aria-invalid={nameProblem !== undefined}
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
              maxLength={32}
              placeholder={nameGiven}
              className={classes(inputClasses, "w-28! min-w-0 text-sm max-sm:flex-1")}
              value={way.name}
              onChange={(event) => onChange({ name: toName(event.target.value) })}
            />
            <input
              type="number"
              min={1}
              max={WEIGHT_MAX}
              aria-label={texts.weight(number)}
              aria-invalid={weightProblem !== undefined}
              className={classes(inputClasses, "w-20! text-sm max-sm:w-16!")}
              value={way.weight}
              onChange={(event) => onChange({ weight: event.target.value })}
            />
            <output className="w-12 text-right text-sm font-medium" aria-label={texts.share}>
              {formatShare(share)}
            </output>
            <Button look="quiet" size="icon" aria-label={texts.remove(number)} onClick={onRemove}>
              <X className="size-4" aria-hidden />
            </Button>
          </>
        )}
      </div>
      {problem && <p className="mt-1 text-sm text-bad">{problem}</p>}
    </div>
  );
}
