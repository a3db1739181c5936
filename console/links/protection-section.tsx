import { Field, TextField } from "#console/ui/field.tsx";
import { Fold } from "#console/ui/fold.tsx";
import { formatExact } from "#console/ui/format.ts";
import { InstantInput } from "#console/ui/instant-input.tsx";
import type { DomainUrlField } from "#contract/domain-record.ts";
import type { Link } from "#contract/link-record.ts";
import { linkFormTexts as texts } from "#texts/link-form.ts";
import { endHint, startHint } from "./link-hints.ts";
import { PasswordField } from "./password-field.tsx";
import type { LinkFormState } from "./use-link-form.ts";
import { withScheme } from "./with-scheme.ts";

interface ProtectionSectionProps {
  readonly form: LinkFormState;
  /** Where the domain leads visitors in the link's stead. */
  readonly addressOf: (field: DomainUrlField) => string | null;
}

/** Who may pass, how often and from when on. */
export function ProtectionSection({ form, addressOf }: ProtectionSectionProps) {
  const { values, base, change, touch, problemOf } = form;
  const set = [
    values.password !== "none" && texts.protection.set.password,
    values.max_clicks !== "" && texts.protection.set.max_clicks,
    values.starts_at !== "" && texts.protection.set.starts_at,
    values.expired_url !== "" && texts.protection.set.expired_url,
  ].filter((name) => name !== false);
  return (
    <Fold title={texts.protection.title} summary={set.join(", ")} used={set.length > 0}>
      <div className="grid gap-5 px-2 pt-1 pb-5 sm:grid-cols-2">
        <PasswordField
          value={values.password}
          isSet={base?.password_protected ?? false}
          onChange={(password) => change("password", password)}
          problem={problemOf("password")}
        />
        <TextField
          label={texts.fields.max_clicks}
          aside={texts.optional}
          type="number"
          inputMode="numeric"
          min={1}
          placeholder={texts.protection.unlimited}
          value={values.max_clicks}
          error={problemOf("max_clicks")}
          hint={describeLimit(base)}
          onChange={(event) => change("max_clicks", event.target.value)}
          onBlur={() => touch("max_clicks")}
        />
        <Field
          label={texts.fields.starts_at}
          aside={texts.optional}
          error={problemOf("starts_at")}
          hint={startHint(values, addressOf("not_found_redirect_url"))}
        >
          {(props) => (
            <InstantInput
              {...props}
              value={values.starts_at}
              onChange={(instant) => change("starts_at", instant)}
              onBlur={() => touch("starts_at")}
            />
          )}
        </Field>
        <TextField
          label={texts.end.label}
          aside={texts.optional}
          type="url"
          inputMode="url"
          placeholder="https://example.com/ended"
          autoComplete="off"
          value={values.expired_url}
          error={problemOf("expired_url")}
          hint={endHint(values, addressOf("expired_redirect_url"))}
          onChange={(event) => change("expired_url", event.target.value)}
          onBlur={() => {
            const whole = withScheme(values.expired_url);
            if (whole !== values.expired_url) change("expired_url", whole);
            touch("expired_url");
          }}
        />
      </div>
    </Fold>
  );
}

function describeLimit(link: Link | null): string {
  if (!link || link.max_clicks === null) return texts.protection.limitHint;
  return link.exhausted ? texts.protection.limitUsedUp(formatExact(link.max_clicks)) : texts.protection.limitSet;
}
