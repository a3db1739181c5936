import { X } from "lucide-react";
import { type ReactNode, useId } from "react";
import { Button } from "#console/ui/button.tsx";
import { ChoicesInput } from "#console/ui/choices-input.tsx";
import { classes } from "#console/ui/classes.ts";
import { CountryFlag } from "#console/ui/country-flag.tsx";
import { inputClasses, Select } from "#console/ui/field.tsx";
import { PillChoices } from "#console/ui/pill-choices.tsx";
import { ruleTexts as texts } from "#texts/rules.ts";
import { describeLeftover, pluralOf } from "./leftover-words.ts";
import type { ConditionValues, ListCondition, QueryCondition } from "./rule-values.ts";
import { conditionWords } from "./rule-words.ts";
import { TimeFields } from "./time-fields.tsx";
import { choicesOf } from "./visitor-choices.ts";

interface ConditionRowProps {
  readonly condition: ConditionValues;
  readonly onChange: (condition: ConditionValues) => void;
  readonly onRemove: () => void;
  /** The first word of its part of the sentence. */
  readonly opening: string;
  /** "is not" is taken by another row, or "is". */
  readonly mayFlip: boolean;
  readonly problem: string | undefined;
}

/** One part of the sentence: "and | the country | is | Germany, Austria". */
export function ConditionRow({ condition, onChange, onRemove, opening, mayFlip, ...row }: ConditionRowProps) {
  const { label, is, isNot, hint } = conditionWords[condition.field];
  const problem = row.problem ?? leftoverProblem(condition);
  const noteId = useId();
  const note = problem ?? hint;
  return (
    <fieldset
      aria-label={label}
      data-condition={condition.key}
      className="grid min-w-0 grid-cols-[minmax(0,1fr)_auto] items-start gap-x-2 gap-y-1.5 sm:grid-cols-[2.75rem_minmax(0,11.5rem)_minmax(0,1fr)_auto]"
    >
      <span className="pt-2 text-sm text-soft max-sm:sr-only">{opening}</span>
      <Select
        aria-label={texts.isOrIsNot(label)}
        className="text-sm"
        value={condition.negated ? "not" : "is"}
        disabled={!mayFlip}
        onChange={(event) => onChange({ ...condition, negated: event.target.value === "not" })}
      >
        <option value="is">{is}</option>
        <option value="not">{isNot}</option>
      </Select>
      <div className="min-w-0 max-sm:order-last max-sm:col-span-2">
        <Values condition={condition} onChange={onChange} problem={problem} noteId={note ? noteId : undefined} />
        {note && (
          <p id={noteId} className={classes("mt-1 text-sm", problem ? "text-bad" : "text-soft")}>
            {note}
          </p>
        )}
      </div>
      <Button look="quiet" size="icon" aria-label={texts.removeCondition(label)} onClick={onRemove}>
        <X className="size-4" aria-hidden />
      </Button>
    </fieldset>
  );
}

/** Said at once: the field shows something that doesn't count. */
const leftoverProblem = (condition: ConditionValues): string | undefined =>
  "leftover" in condition && condition.leftover ? describeLeftover(condition.field, condition.leftover) : undefined;

interface ValuesProps<C extends ConditionValues> {
  readonly condition: C;
  readonly onChange: (condition: C) => void;
  readonly problem: string | undefined;
  readonly noteId: string | undefined;
}

function Values({ condition, ...rest }: ValuesProps<ConditionValues>): ReactNode {
  if (condition.field === "time") return <TimeFields condition={condition} {...rest} />;
  if (condition.field === "query") return <QueryFields condition={condition} {...rest} />;
  return <ListFields condition={condition} {...rest} />;
}

function ListFields({ condition, onChange, problem, noteId }: ValuesProps<ListCondition>) {
  const { field, values, leftover = "" } = condition;
  const shared = {
    label: conditionWords[field].label,
    choices: choicesOf(field),
    values,
    onChange: (next: readonly string[], left = "") => onChange({ ...condition, values: next, leftover: left }),
    problem,
  };
  if (field === "device" || field === "source") return <PillChoices {...shared} />;
  const typed = { ...shared, leftover, plural: pluralOf(field), noteId };
  if (field === "referrer") return <ChoicesInput {...typed} placeholder="example.com" readText={readHost} />;
  const searched = { ...typed, placeholder: texts.search };
  if (field === "country") return <ChoicesInput {...searched} iconOf={(code) => <CountryFlag country={code} />} />;
  return <ChoicesInput {...searched} />;
}

/** The host of what was pasted, which may be a whole address. */
function readHost(text: string): string | undefined {
  const address = text.trim().toLowerCase();
  const url = URL.parse(/^[a-z]+:\/\//.test(address) ? address : `https://${address}`);
  return url?.hostname || undefined;
}

function QueryFields({ condition, onChange, problem, noteId }: ValuesProps<QueryCondition>) {
  const { name, value } = condition;
  const shared = { autoComplete: "off", autoCapitalize: "off", spellCheck: false } as const;
  return (
    // The second column is as wide as the longest of its choices.
    <div className="grid gap-1.5 sm:grid-cols-[minmax(0,1fr)_10rem]">
      <input
        {...shared}
        className={classes(inputClasses, "text-sm")}
        aria-label={texts.query.name}
        aria-invalid={problem !== undefined}
        aria-describedby={noteId}
        placeholder="ref"
        maxLength={100}
        value={name}
        onChange={(event) => onChange({ ...condition, name: event.target.value })}
      />
      <Select
        aria-label={texts.query.value}
        className="text-sm"
        value={value === null ? "any" : "one"}
        onChange={(event) => onChange({ ...condition, value: event.target.value === "any" ? null : "" })}
      >
        <option value="any">{texts.query.any}</option>
        <option value="one">{texts.query.one}</option>
      </Select>
      {value !== null && (
        <input
          {...shared}
          className={classes(inputClasses, "text-sm sm:col-start-2")}
          aria-label={texts.query.exact}
          placeholder="app"
          maxLength={255}
          value={value}
          onChange={(event) => onChange({ ...condition, value: event.target.value })}
        />
      )}
    </div>
  );
}
