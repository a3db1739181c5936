import { Button } from "#console/ui/button.tsx";
import { formatInstant } from "#console/ui/format.ts";
import { type LinkField, type LinkValues, valuesOf } from "./link-form-values.ts";
import { ruleText } from "./rules/rule-words.ts";
import type { Conflict, LinkFormState } from "./use-link-form.ts";

const labels: Readonly<Record<LinkField, string>> = {
  destination_url: "Destination",
  domain: "Domain",
  slug: "Slug",
  title: "Title",
  tags: "Tags",
  utm: "UTM parameters",
  expires_at: "Expires",
  rules: "Rules",
  password: "Password",
  max_clicks: "Click limit",
  starts_at: "Starts",
  expired_url: "Address after the end",
  preview: "Preview card",
  redirect_status: "Redirect status",
  forward_query: "Pass on the query",
  forward_path: "Pass on the path",
  notes: "Notes",
  external_id: "External ID",
};

function write(field: LinkField, values: LinkValues): string {
  if (field === "tags") return values.tags.join(", ") || "none";
  if (field === "expires_at") return values.expires_at === "" ? "never" : formatInstant(values.expires_at);
  if (field === "utm") {
    const set = Object.entries(values.utm).filter(([, value]) => value !== "");
    return set.map(([key, value]) => `${key}=${value}`).join(", ") || "none";
  }
  if (field === "rules") return values.rules.map(ruleText).join("; ") || "none";
  if (field === "password") return values.password === "none" ? "none" : "another one";
  if (field === "starts_at") return values.starts_at === "" ? "at once" : formatInstant(values.starts_at);
  if (field === "preview") return Object.values(values.preview).filter(Boolean).join(", ") || "none";
  if (field === "forward_query" || field === "forward_path") return values[field] ? "on" : "off";
  return String(values[field] || "none");
}

/** Someone else was faster: what they changed, and a way to take it over. */
export function ConflictNote({ form, conflict }: { readonly form: LinkFormState; readonly conflict: Conflict }) {
  const { link, before, theirs, clashes } = conflict;
  const there = valuesOf(link);
  return (
    <section role="alert" aria-label="Changed meanwhile" className="mb-5 rounded-xl bg-warn-soft px-4 py-3 text-sm">
      <h3 className="font-semibold text-warn">This link was changed while you were editing</h3>
      <ul className="mt-2 grid gap-2">
        {link.state !== before.state && <li>It is {link.state} now.</li>}
        {theirs.map((field) => (
          <li key={field} className="break-words">
            {labels[field]} is now <b>{write(field, there)}</b>.
          </li>
        ))}
        {clashes.map((field) => (
          <li key={field} className="flex flex-wrap items-center justify-between gap-2">
            <span className="min-w-0 break-words">
              {labels[field]} was set to <b>{write(field, there)}</b>; yours is below.
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
              Take theirs
            </Button>
          </li>
        ))}
      </ul>
      <p className="mt-2 text-soft">Save again to keep what the form shows now.</p>
    </section>
  );
}
