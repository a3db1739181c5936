import type { ReactNode } from "react";
import { Field, SelectField, TextField } from "#console/ui/field.tsx";
import { InstantInput } from "#console/ui/instant-input.tsx";
import type { LinkVisit } from "#contract/resolve.ts";
import { conditionWords } from "./rule-words.ts";
import { choicesOf } from "./visitor-choices.ts";

/** A visitor as described in the form; empty means unknown. */
export type Visitor = Readonly<Record<VisitorField, string>>;
const chosen = ["country", "language", "device", "os", "browser", "source"] as const;
type VisitorField = (typeof chosen)[number] | "referrer" | "query" | "path" | "at";

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
  /** What follows the slug matters: the link passes it on. */
  readonly hasPath: boolean;
  readonly onChange: (visitor: Visitor) => void;
}

export function VisitorFields({ visitor, hasPath, onChange }: VisitorFieldsProps): ReactNode {
  const set = (field: VisitorField, value: string) => onChange({ ...visitor, [field]: value });
  const shared = { autoComplete: "off", autoCapitalize: "off", spellCheck: false, className: "text-sm" } as const;
  return (
    <div className="grid grid-cols-2 gap-x-2 gap-y-3">
      {chosen.map((field) => (
        <SelectField
          key={field}
          label={conditionWords[field].label}
          className="text-sm"
          value={visitor[field]}
          onChange={(event) => set(field, event.target.value)}
        >
          <option value="">{field === "source" ? "Link" : "Unknown"}</option>
          {choicesOf(field)
            .filter(({ value }) => value !== "link")
            .map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
        </SelectField>
      ))}
      <TextField
        {...shared}
        label="Referrer"
        placeholder="example.com"
        maxLength={2000}
        value={visitor.referrer}
        onChange={(event) => set("referrer", event.target.value)}
      />
      <TextField
        {...shared}
        label="Query"
        placeholder="?ref=app"
        maxLength={2000}
        value={visitor.query}
        onChange={(event) => set("query", event.target.value)}
      />
      {hasPath && (
        <div className="col-span-2">
          <TextField
            {...shared}
            label="Path after the slug"
            placeholder="/a/b"
            maxLength={2000}
            value={visitor.path}
            onChange={(event) => set("path", event.target.value)}
          />
        </div>
      )}
      <Field label="Time" className="col-span-2" hint={visitor.at === "" ? "Now, if left empty." : undefined}>
        {(props) => <InstantInput {...props} className="text-sm" value={visitor.at} onChange={(at) => set("at", at)} />}
      </Field>
    </div>
  );
}
