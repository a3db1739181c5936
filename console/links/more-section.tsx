import { CheckRow } from "#console/ui/check-row.tsx";
import { classes } from "#console/ui/classes.ts";
import { Field, inputClasses, SelectField, TextField } from "#console/ui/field.tsx";
import { Fold } from "#console/ui/fold.tsx";
import { linkFormTexts } from "#texts/link-form.ts";
import { statusHint } from "./link-hints.ts";
import { emptySettings, type RedirectStatus } from "./setting-values.ts";
import type { LinkFormState } from "./use-link-form.ts";

const { more: texts, fields, optional } = linkFormTexts;

const order: readonly RedirectStatus[] = [302, 307, 301, 308];

/** How the redirect works in detail, and what only the team sees. */
export function MoreSection({ form }: { readonly form: LinkFormState }) {
  const { values, base, change, problemOf, touch } = form;
  const set = [
    values.redirect_status !== emptySettings.redirect_status && String(values.redirect_status),
    !values.forward_query && texts.set.forward_query,
    values.forward_path && texts.set.forward_path,
    values.notes !== "" && texts.set.notes,
    values.external_id !== "" && texts.set.external_id,
  ].filter((name) => name !== false);
  const hasFixedId = base !== null && base.external_id !== null;
  return (
    <Fold title={texts.title} summary={set.join(", ")} used={set.length > 0}>
      <div className="grid gap-5 px-2 pt-1 pb-5 sm:grid-cols-2">
        <SelectField
          label={fields.redirect_status}
          hint={statusHint(values)}
          error={problemOf("redirect_status")}
          value={values.redirect_status}
          onChange={(event) => change("redirect_status", Number(event.target.value) as RedirectStatus)}
        >
          {order.map((status) => (
            <option key={status} value={status}>
              {texts.statuses[status].label}
            </option>
          ))}
        </SelectField>
        <div>
          <CheckRow
            label={fields.forward_query}
            note={texts.queryNote}
            checked={values.forward_query}
            onChange={(checked) => change("forward_query", checked)}
          />
          <CheckRow
            label={fields.forward_path}
            note={texts.pathNote}
            checked={values.forward_path}
            onChange={(checked) => change("forward_path", checked)}
          />
        </div>
        <Field
          label={fields.notes}
          aside={optional}
          className="sm:col-span-2"
          error={problemOf("notes")}
          hint={texts.notesHint}
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
          label={fields.external_id}
          aside={optional}
          maxLength={255}
          autoComplete="off"
          spellCheck={false}
          disabled={hasFixedId}
          value={values.external_id}
          error={problemOf("external_id")}
          hint={hasFixedId ? texts.idFixed : texts.idHint}
          onChange={(event) => change("external_id", event.target.value)}
          onBlur={() => touch("external_id")}
        />
      </div>
    </Fold>
  );
}
