import { type FormEvent, useState } from "react";
import { useWorkspace } from "#console/api/session.tsx";
import { withScheme } from "#console/links/with-scheme.ts";
import { Button } from "#console/ui/button.tsx";
import { TextField } from "#console/ui/field.tsx";
import { FormError, problemOf } from "#console/ui/form-error.tsx";
import { Section } from "#console/ui/section.tsx";
import { toast } from "#console/ui/toast.tsx";
import type { Domain } from "#contract/domain-record.ts";
import { updateDomain } from "#contract/domains.ts";
import { domainTexts } from "#texts/domains.ts";
import { useDomainChange } from "./use-domain-change.ts";

const texts = domainTexts.addresses;

const fields = ["root_redirect_url", "not_found_redirect_url", "expired_redirect_url"] as const;
type Field = (typeof fields)[number];
type Values = Readonly<Record<Field, string>>;

const valuesOf = (domain: Domain): Values => ({
  root_redirect_url: domain.root_redirect_url ?? "",
  not_found_redirect_url: domain.not_found_redirect_url ?? "",
  expired_redirect_url: domain.expired_redirect_url ?? "",
});

/** As long as the blocked address is the one that is shown. */
function blockedText(domain: Domain, field: Field, shown: string): string | undefined {
  const blocked = domain.blocked_urls.find((url) => url.field === field);
  if (blocked === undefined || shown !== domain[field]) return undefined;
  return texts.blocked(blocked.reason);
}

/** Where visitors go who ask for something other than a working link. */
export function DomainAddresses({ domain }: { readonly domain: Domain }) {
  const { call, may } = useWorkspace();
  // Only what was typed, so that the rest follows what others save.
  const [typed, setTyped] = useState<Partial<Values>>({});
  const stored = valuesOf(domain);
  const values = { ...stored, ...typed };
  const changed = fields.filter((field) => values[field].trim() !== stored[field]);
  const saving = useDomainChange(
    () => {
      const body = Object.fromEntries(changed.map((field) => [field, withScheme(values[field]) || null]));
      return call(updateDomain, { params: { id: domain.id }, body });
    },
    {
      inForm: true,
      onDone: () => {
        setTyped({});
        toast(texts.saved);
      },
    },
  );
  function submit(event: FormEvent): void {
    event.preventDefault();
    saving.mutate();
  }
  return (
    <Section title={texts.title} note={texts.note}>
      <form onSubmit={submit} noValidate className="max-w-2xl">
        <div className="grid grid-cols-1 gap-5">
          {fields.map((field) => (
            <TextField
              key={field}
              {...texts.fields[field]}
              type="url"
              inputMode="url"
              placeholder="https://example.com/"
              autoComplete="off"
              readOnly={!may("admin")}
              value={values[field]}
              onChange={(event) => setTyped({ ...typed, [field]: event.target.value })}
              error={problemOf(saving.error, field) ?? blockedText(domain, field, values[field])}
            />
          ))}
        </div>
        <FormError error={saving.error} fields={fields} />
        {may("admin") && (
          <Button type="submit" look="primary" className="mt-5" busy={saving.isPending} disabled={changed.length === 0}>
            {texts.save}
          </Button>
        )}
      </form>
    </Section>
  );
}
