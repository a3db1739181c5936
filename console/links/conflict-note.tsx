import { Button } from "#console/ui/button.tsx";
import { Filled } from "#console/ui/filled.tsx";
import { formatInstant } from "#console/ui/format.ts";
import { linkFormTexts } from "#texts/link-form.ts";
import { type LinkField, type LinkValues, valuesOf } from "./link-form-values.ts";
import { ruleText } from "./rules/rule-words.ts";
import type { Conflict, LinkFormState } from "./use-link-form.ts";

const labels: Readonly<Record<LinkField, string>> = linkFormTexts.fields;
const { conflict: texts } = linkFormTexts;

function write(field: LinkField, values: LinkValues): string {
  if (field === "tags") return values.tags.join(", ") || texts.none;
  if (field === "expires_at") return values.expires_at === "" ? texts.never : formatInstant(values.expires_at);
  if (field === "utm") {
    const set = Object.entries(values.utm).filter(([, value]) => value !== "");
    return set.map(([key, value]) => `${key}=${value}`).join(", ") || texts.none;
  }
  if (field === "rules") return values.rules.map(ruleText).join("; ") || texts.none;
  if (field === "password") return values.password === "none" ? texts.none : texts.anotherPassword;
  if (field === "starts_at") return values.starts_at === "" ? texts.atOnce : formatInstant(values.starts_at);
  if (field === "preview") return Object.values(values.preview).filter(Boolean).join(", ") || texts.none;
  if (field === "forward_query" || field === "forward_path") return values[field] ? texts.on : texts.off;
  return String(values[field] || texts.none);
}

/** Someone else was faster: what they changed, and a way to take it over. */
export function ConflictNote({ form, conflict }: { readonly form: LinkFormState; readonly conflict: Conflict }) {
  const { link, before, theirs, clashes } = conflict;
  const there = valuesOf(link);
  return (
    <section role="alert" aria-label={texts.label} className="mb-5 rounded-xl bg-warn-soft px-4 py-3 text-sm">
      <h3 className="font-semibold text-warn">{texts.title}</h3>
      <ul className="mt-2 grid gap-2">
        {link.state !== before.state && <li>{texts.states[link.state]}</li>}
        {theirs.map((field) => (
          <li key={field} className="break-words">
            <Filled text={texts.changed} parts={{ field: labels[field], value: <b>{write(field, there)}</b> }} />
          </li>
        ))}
        {clashes.map((field) => (
          <li key={field} className="flex flex-wrap items-center justify-between gap-2">
            <span className="min-w-0 break-words">
              <Filled text={texts.clash} parts={{ field: labels[field], value: <b>{write(field, there)}</b> }} />
            </span>
            <Button
              size="small"
              onClick={() => {
                form.change(field, there[field]);
                form.setConflict({
                  ...conflict,
                  clashes: clashes.filter((other) => other !== field),
                  theirs: [...theirs, field],
                });
              }}
            >
              {texts.takeTheirs}
            </Button>
          </li>
        ))}
      </ul>
      <p className="mt-2 text-soft">{texts.saveAgain}</p>
    </section>
  );
}
