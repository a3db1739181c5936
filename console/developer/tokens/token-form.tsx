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
import { scopeTexts } from "../scope-texts.ts";

const lifetimes = [
  { days: 30, label: "30 days" },
  { days: 90, label: "90 days" },
  { days: 365, label: "1 year" },
  { days: null, label: "Never" },
] as const;
type Lifetime = (typeof lifetimes)[number]["days"];

const DEFAULT_DAYS = 90;
const fields = ["name", "scopes", "expires_in_days"];

interface TokenFormProps {
  readonly onCreated: (value: string) => void;
  readonly onClose: () => void;
}

export function TokenForm({ onCreated, onClose }: TokenFormProps) {
  const { call } = useWorkspace();
  const [name, setName] = useState("");
  const [chosen, setChosen] = useState<readonly Scope[]>(["links:read"]);
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
          label="Name"
          hint="What will use it, so that you recognise it later."
          placeholder="Nightly import"
          autoComplete="off"
          data-first
          required
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.target.value)}
          error={problemOf(creation.error, "name")}
        />
        <ChoiceGroup
          legend="What it may do"
          error={chosen.length === 0 ? "Choose at least one." : problemOf(creation.error, "scopes")}
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
          label="Expires after"
          hint={days === null ? "It still ends when nothing has used it for a year." : undefined}
          value={String(days)}
          onChange={(event) => setDays(lifetimes.find((one) => String(one.days) === event.target.value)?.days ?? null)}
          error={problemOf(creation.error, "expires_in_days")}
        >
          {lifetimes.map((one) => (
            <option key={one.label} value={String(one.days)}>
              {one.label}
            </option>
          ))}
        </SelectField>
      </div>
      <FormError error={creation.error} fields={fields} />
      <DialogFooter>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look="primary" busy={creation.isPending} disabled={chosen.length === 0}>
          Create token
        </Button>
      </DialogFooter>
    </form>
  );
}
