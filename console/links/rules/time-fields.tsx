import { type ReactNode, useId } from "react";
import { listTimeZones } from "#console/reports/time-zone.ts";
import { classes } from "#console/ui/classes.ts";
import { localZone } from "#console/ui/days.ts";
import { Field, inputClasses, Select } from "#console/ui/field.tsx";
import { InstantInput } from "#console/ui/instant-input.tsx";
import { PillChoices } from "#console/ui/pill-choices.tsx";
import { ruleTexts } from "#texts/rules.ts";
import { newCondition, type RangeTime, type TimeCondition, type WeeklyTime } from "./rule-values.ts";
import { dayNames } from "./rule-words.ts";

interface TimeFieldsProps {
  readonly condition: TimeCondition;
  readonly onChange: (condition: TimeCondition) => void;
  readonly problem: string | undefined;
}

const { time: texts } = ruleTexts;
const days = Object.entries(dayNames).map(([value, label]) => ({ value, label }));

/** Hours that come every week, or one period. */
export function TimeFields({ condition, onChange, problem }: TimeFieldsProps) {
  const { time } = condition;
  function choose(kind: string): void {
    const weekly = newCondition("time", localZone(), false) as TimeCondition;
    onChange({ ...condition, time: kind === "weekly" ? weekly.time : { kind: "range", after: "", before: "" } });
  }
  return (
    <div className="grid gap-2">
      <Select
        aria-label={texts.kind}
        className="text-sm"
        value={time.kind}
        onChange={(event) => choose(event.target.value)}
      >
        <option value="weekly">{texts.weekly}</option>
        <option value="range">{texts.range}</option>
      </Select>
      {time.kind === "weekly" ? (
        <WeeklyFields time={time} onChange={(next) => onChange({ ...condition, time: next })} problem={problem} />
      ) : (
        <RangeFields time={time} onChange={(next) => onChange({ ...condition, time: next })} problem={problem} />
      )}
    </div>
  );
}

interface PartProps<T> {
  readonly time: T;
  readonly onChange: (time: T) => void;
  readonly problem: string | undefined;
}

function WeeklyFields({ time, onChange, problem }: PartProps<WeeklyTime>) {
  const listId = useId();
  const input = (name: "from" | "to", label: string): ReactNode => (
    <Field label={label}>
      {(props) => (
        <input
          {...props}
          type="time"
          className={classes(inputClasses, "text-sm max-sm:px-2")}
          value={time[name]}
          onChange={(event) => onChange({ ...time, [name]: event.target.value })}
        />
      )}
    </Field>
  );
  return (
    <>
      <PillChoices
        label={texts.days}
        choices={days}
        values={time.days}
        onChange={(next) => onChange({ ...time, days: next })}
        problem={undefined}
      />
      <div className="grid grid-cols-2 gap-2">
        {input("from", texts.from)}
        {input("to", texts.until)}
        <Field label={texts.zone} className="col-span-2">
          {(props) => (
            <input
              {...props}
              list={listId}
              className={classes(inputClasses, "text-sm")}
              aria-invalid={problem !== undefined}
              spellCheck={false}
              autoComplete="off"
              value={time.timezone}
              onChange={(event) => onChange({ ...time, timezone: event.target.value })}
            />
          )}
        </Field>
      </div>
      <datalist id={listId}>
        {listTimeZones().map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}

const RangeFields = ({ time, onChange, problem }: PartProps<RangeTime>) => (
  <div className="grid gap-2 sm:grid-cols-2">
    {(["after", "before"] as const).map((name) => (
      <Field key={name} label={name === "after" ? texts.from : texts.until}>
        {(props) => (
          <InstantInput
            {...props}
            aria-invalid={problem !== undefined}
            className="text-sm"
            value={time[name]}
            onChange={(instant) => onChange({ ...time, [name]: instant })}
          />
        )}
      </Field>
    ))}
  </div>
);
