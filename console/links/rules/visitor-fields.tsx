import { Minus, Plus } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button } from "#console/ui/button.tsx";
import { ChoicesInput } from "#console/ui/choices-input.tsx";
import { CountryFlag } from "#console/ui/country-flag.tsx";
import { localZone } from "#console/ui/days.ts";
import { Field, SelectField, TextField } from "#console/ui/field.tsx";
import { InstantInput } from "#console/ui/instant-input.tsx";
import type { LinkVisit } from "#contract/resolve.ts";
import { ruleTexts } from "#texts/rules.ts";
import { describeLeftover, pluralOf } from "./leftover-words.ts";
import type { ConditionField } from "./rule-values.ts";
import { conditionWords } from "./rule-words.ts";
import { choicesOf } from "./visitor-choices.ts";

const { visitor: texts } = ruleTexts;

/** A visitor as described in the form; empty means unknown. */
export type Visitor = Readonly<Record<VisitorField, string>>;
const visitorFields = [
  "country",
  "language",
  "device",
  "os",
  "browser",
  "source",
  "referrer",
  "query",
  "path",
  "at",
] as const;
type VisitorField = (typeof visitorFields)[number];

export const isVisitorField = (name: string): name is VisitorField =>
  (visitorFields as readonly string[]).includes(name);

export const unknownVisitor: Visitor = {
  country: "",
  language: "",
  device: "",
  os: "",
  browser: "",
  source: "",
  referrer: "",
  query: "",
  path: "",
  at: "",
};

export const toVisit = (visitor: Visitor): LinkVisit =>
  Object.fromEntries(
    Object.entries({
      ...visitor,
      query: visitor.query.trim().replace(/^\?/, ""),
      path: visitor.path.trim().replace(/^(?=[^/])/, "/"),
    })
      .map(([field, value]) => [field, value.trim()])
      .filter(([, value]) => value !== ""),
  );

interface VisitorFieldsProps {
  readonly visitor: Visitor;
  /** What the rules depend on: the other fields wait behind a button, so that the result stays in sight. */
  readonly asked: ReadonlySet<ConditionField>;
  /** What follows the slug matters: the link passes it on. */
  readonly hasPath: boolean;
  readonly onChange: (visitor: Visitor) => void;
  /** What the server can't make sense of, by field. */
  readonly problems: Partial<Visitor>;
}

export function VisitorFields({ visitor, asked, hasPath, onChange, problems }: VisitorFieldsProps): ReactNode {
  const [showsAll, setShowsAll] = useState(false);
  // What someone has changed stays, also while it is empty.
  const [changed, setChanged] = useState<ReadonlySet<VisitorField>>(new Set());
  const isOfUse = (field: VisitorField): boolean =>
    field === "path" || visitor[field] !== "" || changed.has(field) || asked.has(field === "at" ? "time" : field);
  const possible = visitorFields.filter((field) => hasPath || field !== "path");
  const hasMore = !possible.every(isOfUse);
  return (
    <div className="grid grid-cols-2 gap-x-2 gap-y-3">
      {possible
        .filter((field) => showsAll || isOfUse(field))
        .map((field) => (
          <VisitorInput
            key={field}
            field={field}
            value={visitor[field]}
            problem={problems[field]}
            onChange={(value) => {
              setChanged(new Set(changed).add(field));
              onChange({ ...visitor, [field]: value });
            }}
          />
        ))}
      {hasMore && (
        <Button
          look="quiet"
          size="small"
          className="col-span-2 -ml-2.5 justify-self-start"
          aria-expanded={showsAll}
          onClick={() => {
            setChanged(new Set());
            setShowsAll(!showsAll);
          }}
        >
          {showsAll ? <Minus className="size-4" aria-hidden /> : <Plus className="size-4" aria-hidden />}
          {showsAll ? texts.less : texts.more}
        </Button>
      )}
    </div>
  );
}

interface VisitorInputProps {
  readonly field: VisitorField;
  readonly value: string;
  readonly problem: string | undefined;
  readonly onChange: (value: string) => void;
}

const placeholders = { referrer: "example.com", query: "?ref=app", path: "/a/b" } as const;

function VisitorInput({ field, value, problem, onChange }: VisitorInputProps): ReactNode {
  switch (field) {
    case "at":
      return (
        <Field
          label={texts.time}
          className="col-span-2"
          error={problem}
          hint={[...(value === "" ? [texts.nowIfEmpty] : []), texts.zone(localZone())].join(" ")}
        >
          {(props) => <InstantInput {...props} className="text-sm" value={value} onChange={onChange} />}
        </Field>
      );
    case "referrer":
    case "query":
    case "path":
      return (
        <TextField
          label={texts[field]}
          placeholder={placeholders[field]}
          error={problem}
          className="text-sm"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          maxLength={2000}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      );
    case "country":
      return <CountryInput value={value} problem={problem} onChange={onChange} />;
    default:
      return (
        <SelectField
          label={conditionWords[field].label}
          error={problem}
          className="text-sm"
          value={value}
          onChange={(event) => onChange(event.target.value)}
        >
          <option value="">{field === "source" ? texts.link : texts.unknown}</option>
          {choicesOf(field)
            .filter((choice) => choice.value !== "link")
            .map((choice) => (
              <option key={choice.value} value={choice.value}>
                {choice.label}
              </option>
            ))}
        </SelectField>
      );
  }
}

/** Found by typing, as in the rules: of so many, the browser's own list finds one by its first letters alone. */
function CountryInput({ value, problem, onChange }: Omit<VisitorInputProps, "field">): ReactNode {
  const [leftover, setLeftover] = useState("");
  const { label } = conditionWords.country;
  const error = leftover === "" ? problem : describeLeftover("country", leftover);
  return (
    <Field label={label} className="col-span-2" error={error}>
      {({ id, "aria-describedby": noteId }) => (
        <ChoicesInput
          id={id}
          label={label}
          choices={choicesOf("country")}
          iconOf={(code) => <CountryFlag country={code} />}
          values={value === "" ? [] : [value]}
          isSingle
          leftover={leftover}
          plural={pluralOf("country")}
          placeholder={texts.unknown}
          problem={error}
          noteId={noteId}
          onChange={(values, left = "") => {
            setLeftover(left);
            // A visitor is in one country: another one takes its place.
            onChange(values.at(-1) ?? "");
          }}
        />
      )}
    </Field>
  );
}
