import { ArrowDown, ArrowUp, Plus, Trash2 } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Button } from "#console/ui/button.tsx";
import { classes } from "#console/ui/classes.ts";
import { localZone } from "#console/ui/days.ts";
import { TextField } from "#console/ui/field.tsx";
import { Menu, MenuItem } from "#console/ui/menu.tsx";
import { ruleTexts } from "#texts/rules.ts";
import { ConditionRow } from "./condition-row.tsx";
import {
  type ConditionField,
  type ConditionValues,
  conditionFields,
  freeNegation,
  newCondition,
  placeOf,
  type RuleValues,
  toName,
} from "./rule-values.ts";
import { conditionWords, describeRule } from "./rule-words.ts";
import { WayFields } from "./way-fields.tsx";

const { card: texts } = ruleTexts;

interface RuleCardProps {
  readonly rule: RuleValues;
  readonly index: number;
  readonly total: number;
  /** What the server calls it while it has no name. */
  readonly nameGiven: string;
  readonly startsOpen: boolean;
  readonly onChange: (rule: RuleValues) => void;
  readonly onMove: (step: -1 | 1) => void;
  readonly onRemove: () => void;
  readonly complete: (address: string) => string;
  readonly problemUnder: (field: string) => string | undefined;
}

const FOCUSABLE = "input, select";

/** A rule as a sentence; a click on it opens the fields that it is made of. */
export function RuleCard(props: RuleCardProps) {
  const { rule, index, total, nameGiven, startsOpen, onChange, onMove, onRemove, complete, problemUnder } = props;
  const place = `rules.${index}`;
  const problem = problemUnder(place);
  const [isOpen, setIsOpen] = useState(startsOpen);
  const open = isOpen || problem !== undefined;
  const card = useRef<HTMLLIElement>(null);
  const added = useRef<string | null>(null);
  const { conditions } = rule;
  const setConditions = (next: readonly ConditionValues[]) => onChange({ ...rule, conditions: next });

  // What was just added is what one wants to fill in.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once the new condition is on the page
  useEffect(() => {
    if (added.current === null) return;
    const fields = card.current?.querySelectorAll<HTMLElement>(`[data-condition="${added.current}"] :is(${FOCUSABLE})`);
    added.current = null;
    // The first one says "is" or "is not", which is right most of the time.
    fields?.[1]?.focus();
  }, [conditions.length]);

  function add(field: ConditionField): void {
    const condition = newCondition(field, localZone(), freeNegation(conditions, field) ?? false);
    added.current = condition.key;
    setConditions([...conditions, condition]);
  }

  const number = index + 1;
  return (
    <li ref={card} data-rule={rule.key} className="rounded-xl border border-line bg-card">
      <div className="flex items-start gap-x-2 p-2 pl-3 max-sm:flex-wrap">
        <span className="mt-1.5 flex size-6 shrink-0 items-center justify-center rounded-md bg-sunken text-xs font-semibold text-soft">
          {number}
        </span>
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setIsOpen(!open)}
          className="min-w-0 grow rounded-md px-1 py-1.5 text-left text-sm leading-relaxed wrap-anywhere hover:bg-hover max-sm:order-last max-sm:basis-full"
        >
          <span className="sr-only">{texts.before(number)}</span>
          <Sentence rule={rule} />
        </button>
        <div className="flex shrink-0 max-sm:ml-auto">
          <MoveButton step={-1} label={texts.up(number)} disabled={index === 0} onMove={onMove} />
          <MoveButton step={1} label={texts.down(number)} disabled={number === total} onMove={onMove} />
          <Button
            look="quiet"
            size="icon"
            className="max-sm:size-8"
            aria-label={texts.delete(number)}
            onClick={onRemove}
          >
            <Trash2 className="size-4" aria-hidden />
          </Button>
        </div>
      </div>
      {open && (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4 border-t border-line p-3 sm:p-4">
          <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-2.5">
            {conditions.map((condition, at) => (
              <ConditionRow
                key={condition.key}
                condition={condition}
                opening={at === 0 ? texts.if : texts.and}
                onChange={(next) => setConditions(conditions.map((one) => (one === condition ? next : one)))}
                onRemove={() => setConditions(conditions.filter((one) => one !== condition))}
                mayFlip={condition.field === "query" || freeNegation(conditions, condition.field) !== undefined}
                problem={problemUnder(`${place}.when.${placeOf(condition)}`)}
              />
            ))}
            <Menu
              align="start"
              label={texts.conditions}
              trigger={
                <Button look="quiet" size="small" className="-ml-2.5 justify-self-start">
                  <Plus className="size-4" aria-hidden />
                  {texts.addCondition}
                </Button>
              }
            >
              {conditionFields.map((field) => (
                <MenuItem
                  key={field}
                  disabled={freeNegation(conditions, field) === undefined}
                  onSelect={() => add(field)}
                >
                  {conditionWords[field].label}
                </MenuItem>
              ))}
            </Menu>
          </div>
          <WayFields
            place={place}
            ways={rule.ways}
            onChange={(ways) => onChange({ ...rule, ways })}
            complete={complete}
            problemUnder={problemUnder}
            hasConditions={conditions.length > 0}
          />
          <TextField
            label={texts.name}
            aside={texts.optional}
            placeholder={nameGiven}
            maxLength={32}
            autoComplete="off"
            className="text-sm"
            value={rule.name}
            error={problemUnder(`${place}.name`)}
            onChange={(event) => onChange({ ...rule, name: toName(event.target.value) })}
          />
        </div>
      )}
    </li>
  );
}

const Sentence = ({ rule }: { readonly rule: RuleValues }) =>
  describeRule(rule).map((part, at) =>
    typeof part === "string" ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts have nothing but their place
      <b key={at} className="font-semibold">
        {part.value}
      </b>
    ),
  );

interface MoveButtonProps {
  readonly step: -1 | 1;
  readonly label: string;
  readonly disabled: boolean;
  readonly onMove: (step: -1 | 1) => void;
}

function MoveButton({ step, label, disabled, onMove }: MoveButtonProps) {
  const Icon = step === -1 ? ArrowUp : ArrowDown;
  return (
    <Button
      look="quiet"
      size="icon"
      aria-label={label}
      // Not `disabled`, which would take the focus away from the button that moved the rule to the end.
      aria-disabled={disabled}
      data-move={step}
      className={classes("max-sm:size-8", disabled && "opacity-35")}
      onClick={() => {
        if (!disabled) onMove(step);
      }}
    >
      <Icon className="size-4" aria-hidden />
    </Button>
  );
}
