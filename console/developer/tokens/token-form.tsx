import { type FormEvent, useState } from "react";
import { useWorkspace } from "#console/api/session.tsx";
import { useChange } from "#console/api/use-change.ts";
import { Button } from "#console/ui/button.tsx";
import { CheckRow, ChoiceGroup } from "#console/ui/check-row.tsx";
import { DialogFooter } from "#console/ui/dialog.tsx";
import { SelectField, TextField } from "#console/ui/field.tsx";
import { FormError, problemOf } from "#console/ui/form-error.tsx";
import { createToken } from "#contract/console/account.ts";
import { type Scope, scopes } from "#contract/scopes.ts";
import { scopeTexts } from "#texts/scopes.ts";
import { tokenTexts as texts } from "#texts/tokens.ts";
import { uiTexts } from "#texts/ui.ts";

const lifetimes = [30, 90, 365, null] as const;
type Lifetime = (typeof lifetimes)[number];

const DEFAULT_DAYS = 90;
const fields = ["name", "scopes", "expires_in_days"];

interface TokenFormProps {
  readonly preselected: readonly Scope[];
  readonly onCreated: (value: string) => void;
  readonly onClose: () => void;
}

export function TokenForm({ preselected, onCreated, onClose }: TokenFormProps) {
  const { call } = useWorkspace();
  const [name, setName] = useState("");
  const [chosen, setChosen] = useState(preselected);
  const [days, setDays] = useState<Lifetime>(DEFAULT_DAYS);
  const creation = useChange(() => call(createToken, { body: { name, scopes: [...chosen], expires_in_days: days } }), {
    refreshes: ["tokens", "account"],
    onDone: ({ token }) => onCreated(token),
    inForm: true,
  });
  function submit(event: FormEvent): void {
    event.preventDefault();
    creation.mutate();
  }
  const choose = (scope: Scope, on: boolean) =>
    setChosen(scopes.filter((one) => (one === scope ? on : chosen.includes(one))));
  return (
    <form onSubmit={submit}>
      <div className="grid grid-cols-1 gap-5">
        <TextField
          label={texts.form.name}
          hint={texts.form.nameHint}
          autoComplete="off"
          data-first
          required
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.target.value)}
          error={problemOf(creation.error, "name")}
        />
        <ChoiceGroup
          legend={texts.form.scopes}
          error={chosen.length === 0 ? texts.form.noScopes : problemOf(creation.error, "scopes")}
        >
          <div className="grid sm:grid-cols-2">
            {scopes.map((scope) => (
              <CheckRow
                key={scope}
                label={scopeTexts[scope].label}
                note={scopeTexts[scope].note}
                checked={chosen.includes(scope)}
                onChange={(on) => choose(scope, on)}
              />
            ))}
          </div>
        </ChoiceGroup>
        <SelectField
          label={texts.form.expiry}
          hint={days === null ? texts.form.neverHint : undefined}
          value={String(days)}
          onChange={(event) => setDays(lifetimes.find((one) => String(one) === event.target.value) ?? null)}
          error={problemOf(creation.error, "expires_in_days")}
        >
          {lifetimes.map((one) => (
            <option key={one} value={String(one)}>
              {texts.form.lifetimes[one ?? "never"]}
            </option>
          ))}
        </SelectField>
      </div>
      <FormError error={creation.error} fields={fields} />
      <DialogFooter>
        <Button onClick={onClose}>{uiTexts.cancel}</Button>
        <Button type="submit" look="primary" busy={creation.isPending} disabled={chosen.length === 0}>
          {texts.create}
        </Button>
      </DialogFooter>
    </form>
  );
}
