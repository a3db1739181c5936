import { CheckRow } from "#console/ui/check-row.tsx";
import { classes } from "#console/ui/classes.ts";
import { Field, inputClasses, SelectField, TextField } from "#console/ui/field.tsx";
import { Fold } from "#console/ui/fold.tsx";
import { statusHint } from "./link-hints.ts";
import { emptySettings, type RedirectStatus } from "./setting-values.ts";
import type { LinkFormState } from "./use-link-form.ts";

const labels: Readonly<Record<RedirectStatus, string>> = {
  302: "302 Found (default)",
  307: "307 Temporary Redirect",
  301: "301 Moved Permanently",
  308: "308 Permanent Redirect",
};

const order: readonly RedirectStatus[] = [302, 307, 301, 308];

/** How the redirect works in detail, and what only the team sees. */
export function MoreSection({ form }: { readonly form: LinkFormState }) {
  const { values, base, change, problemOf, touch } = form;
  const set = [
    values.redirect_status !== emptySettings.redirect_status && String(values.redirect_status),
    !values.forward_query && "query not passed on",
    values.forward_path && "path passed on",
    values.notes !== "" && "notes",
    values.external_id !== "" && "external ID",
  ].filter((name) => name !== false);
  const hasFixedId = base !== null && base.external_id !== null;
  return (
    <Fold title="More options" summary={set.join(", ")} used={set.length > 0}>
      <div className="grid gap-5 border-t border-line p-4 sm:grid-cols-2">
        <SelectField
          label="Redirect status"
          hint={statusHint(values)}
          error={problemOf("redirect_status")}
          value={values.redirect_status}
          onChange={(event) => change("redirect_status", Number(event.target.value) as RedirectStatus)}
        >
          {order.map((status) => (
            <option key={status} value={status}>
              {labels[status]}
            </option>
          ))}
        </SelectField>
        <div>
          <CheckRow
            label="Pass on the query"
            note="?ref=app behind the short link is added to the destination."
            checked={values.forward_query}
            onChange={(checked) => change("forward_query", checked)}
          />
          <CheckRow
            label="Pass on the path"
            note="/slug/a/b leads to the destination with /a/b added."
            checked={values.forward_path}
            onChange={(checked) => change("forward_path", checked)}
          />
        </div>
        <Field
          label="Notes"
          aside="optional"
          className="sm:col-span-2"
          error={problemOf("notes")}
          hint="For your team. Visitors never see them; search finds them."
        >
          {(props) => (
            <textarea
              {...props}
              rows={3}
              maxLength={2000}
              className={classes(inputClasses, "h-auto! py-2")}
              value={values.notes}
              onChange={(event) => change("notes", event.target.value)}
              onBlur={() => touch("notes")}
            />
          )}
        </Field>
        <TextField
          label="External ID"
          aside="optional"
          maxLength={255}
          autoComplete="off"
          spellCheck={false}
          disabled={hasFixedId}
          value={values.external_id}
          error={problemOf("external_id")}
          hint={
            hasFixedId
              ? "Can’t be changed once it’s set."
              : "Your own key for the link in another system. Can’t be changed later."
          }
          onChange={(event) => change("external_id", event.target.value)}
          onBlur={() => touch("external_id")}
        />
      </div>
    </Fold>
  );
}
