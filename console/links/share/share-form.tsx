import { type FormEvent, useState } from "react";
import { newIdempotencyKey } from "#console/api/call.ts";
import { useWorkspace } from "#console/api/session.tsx";
import { useChange } from "#console/api/use-change.ts";
import { isTimeZone, readTimeZone } from "#console/reports/time-zone.ts";
import { ZoneInput } from "#console/reports/zone-input.tsx";
import { Button } from "#console/ui/button.tsx";
import { Field, TextField } from "#console/ui/field.tsx";
import { FormError, problemOf } from "#console/ui/form-error.tsx";
import { InstantInput } from "#console/ui/instant-input.tsx";
import { MIN_VISITORS_MAX } from "#contract/limits.ts";
import { type Share, shareLink } from "#contract/shares.ts";
import { sharingTexts } from "#texts/sharing.ts";
import { uiTexts } from "#texts/ui.ts";

const texts = sharingTexts.form;
const fields = ["password", "expires_at", "min_visitors", "timezone"];

interface ShareFormProps {
  readonly linkId: string;
  readonly hasHeading: boolean;
  readonly onCreated: (share: Share) => void;
  /** Left out where the form is all there is. */
  readonly onCancel?: () => void;
}

/** The terms of a new shared report. It can't be changed afterwards, only revoked. */
export function ShareForm({ linkId, hasHeading, onCreated, onCancel }: ShareFormProps) {
  const { call } = useWorkspace();
  const [password, setPassword] = useState("");
  const [expiresAt, setExpiresAt] = useState("");
  const [minVisitors, setMinVisitors] = useState("1");
  const [timezone, setTimezone] = useState(readTimeZone);
  // The same for every try, so that a lost answer makes no second address.
  const [idempotencyKey] = useState(newIdempotencyKey);
  const creation = useChange(
    () =>
      call(shareLink, {
        params: { id: linkId },
        body: {
          password: password === "" ? null : password,
          expires_at: expiresAt === "" ? null : expiresAt,
          min_visitors: Number(minVisitors),
          timezone,
        },
        idempotencyKey,
      }),
    { refreshes: ["shares"], onDone: onCreated, inForm: true },
  );
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (isTimeZone(timezone)) creation.mutate();
  }
  const least = Math.max(1, Math.trunc(Number(minVisitors)) || 1);
  return (
    <form onSubmit={submit}>
      {hasHeading && <h3 className="mb-3 font-semibold">{texts.title}</h3>}
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label={texts.password}
          aside={sharingTexts.optional}
          hint={texts.passwordHint}
          type="password"
          autoComplete="new-password"
          autoFocus
          maxLength={128}
          value={password}
          onChange={(event) => setPassword(event.target.value)}
          error={problemOf(creation.error, "password")}
        />
        <Field
          label={texts.expires}
          aside={sharingTexts.optional}
          hint={texts.expiresHint}
          error={problemOf(creation.error, "expires_at")}
        >
          {(props) => (
            <InstantInput {...props} value={expiresAt} min={new Date().toISOString()} onChange={setExpiresAt} />
          )}
        </Field>
        <div className="sm:col-span-2">
          <TextField
            label={texts.minVisitors}
            hint={texts.minVisitorsHint(least)}
            type="number"
            inputMode="numeric"
            min={1}
            max={MIN_VISITORS_MAX}
            required
            className="sm:max-w-32"
            value={minVisitors}
            onChange={(event) => setMinVisitors(event.target.value)}
            error={problemOf(creation.error, "min_visitors")}
          />
        </div>
        <ZoneInput
          value={timezone}
          onChange={setTimezone}
          hint={texts.timezoneHint}
          error={problemOf(creation.error, "timezone")}
        />
      </div>
      <FormError error={creation.error} fields={fields} />
      <div className="mt-5 flex flex-wrap items-center justify-end gap-2">
        {onCancel && <Button onClick={onCancel}>{uiTexts.cancel}</Button>}
        <Button type="submit" look="primary" busy={creation.isPending}>
          {texts.create}
        </Button>
      </div>
    </form>
  );
}
