import { type FormEvent, useState } from "react";
import { CallError } from "#console/api/call.ts";
import { useWorkspace } from "#console/api/session.tsx";
import { Button } from "#console/ui/button.tsx";
import { classes } from "#console/ui/classes.ts";
import { Field, inputClasses } from "#console/ui/field.tsx";
import { FormError } from "#console/ui/form-error.tsx";
import { Section } from "#console/ui/section.tsx";
import { toast } from "#console/ui/toast.tsx";
import type { Domain } from "#contract/domain-record.ts";
import { updateDomain } from "#contract/domains.ts";
import { domainTexts } from "#texts/domains.ts";
import {
  type AppDocument,
  appDocuments,
  isSameDocument,
  readDocument,
  toAppLinks,
  writeDocument,
} from "./app-documents.ts";
import { useDomainChange } from "./use-domain-change.ts";

const texts = domainTexts.apps;

/** The documents by which phones learn that an app may open the domain's links. */
export function AppLinks({ domain }: { readonly domain: Domain }) {
  const { call, may } = useWorkspace();
  // Only what was typed, so that the rest follows what others save.
  const [typed, setTyped] = useState<Partial<Record<AppDocument, string>>>({});
  const [isSent, setIsSent] = useState(false);
  const textOf = (name: AppDocument): string => typed[name] ?? writeDocument(domain.app_links[name]);
  const changed = appDocuments
    .map(({ name }) => name)
    .filter((name) => !isSameDocument(textOf(name), domain.app_links[name]));
  const saving = useDomainChange(
    () => {
      const documents = changed.map((name) => {
        const read = readDocument(textOf(name));
        return [name, "value" in read ? read.value : null] as const;
      });
      return call(updateDomain, { params: { id: domain.id }, body: toAppLinks(documents) });
    },
    {
      inForm: true,
      onDone: () => {
        setTyped({});
        setIsSent(false);
        toast(texts.saved);
      },
    },
  );

  function problemOf(name: AppDocument): string | undefined {
    const read = readDocument(textOf(name));
    if ("problem" in read) return isSent ? read.problem : undefined;
    return refusalOf(saving.error, name);
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    setIsSent(true);
    if (changed.every((name) => "value" in readDocument(textOf(name)))) saving.mutate();
  }

  return (
    <Section title={texts.title} note={texts.note}>
      <form onSubmit={submit} noValidate className="max-w-2xl">
        <div className="grid grid-cols-1 gap-5">
          {appDocuments.map(({ name, path, example }) => (
            <Field
              key={name}
              label={texts.documents[name]}
              aside={texts.optional}
              hint={<span className="break-all">{texts.servedAt(`${domain.name}${path}`)}</span>}
              error={problemOf(name)}
            >
              {(props) => (
                <textarea
                  {...props}
                  rows={textOf(name) === "" ? 3 : 8}
                  spellCheck={false}
                  autoCapitalize="off"
                  readOnly={!may("admin")}
                  placeholder={example}
                  value={textOf(name)}
                  onChange={(event) => setTyped({ ...typed, [name]: event.target.value })}
                  className={classes(inputClasses, "h-auto! py-2 font-mono text-[0.8125rem] leading-5")}
                />
              )}
            </Field>
          ))}
        </div>
        {!hasRefusal(saving.error) && <FormError error={saving.error} />}
        {may("admin") && (
          <Button type="submit" look="primary" className="mt-5" busy={saving.isPending} disabled={changed.length === 0}>
            {texts.save}
          </Button>
        )}
      </form>
    </Section>
  );
}

const FIELD = /^app_links\.([a-z_]+)\.?(.*)$/;

/** What the server says about a document, with the place in it. */
function refusalOf(error: unknown, name: AppDocument): string | undefined {
  if (!(error instanceof CallError)) return undefined;
  for (const { field, message } of error.fieldErrors) {
    const [, document, place] = FIELD.exec(field) ?? [];
    if (document === name) return place ? `${place}: ${message}` : message;
  }
  return undefined;
}

const hasRefusal = (error: unknown): boolean => appDocuments.some(({ name }) => refusalOf(error, name) !== undefined);
