import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useWorkspace } from "#console/api/session.tsx";
import { CopyButton } from "#console/ui/copy-button.tsx";
import { TextField } from "#console/ui/field.tsx";
import { utmKeys } from "#contract/limits.ts";
import type { UtmKey } from "#contract/link-record.ts";
import { linkFormTexts } from "#texts/link-form.ts";
import { listedLinks } from "./link-cache.ts";
import { finalAddress, type LinkValues, utmValues } from "./link-form-values.ts";
import { ownUtm } from "./own-utm.ts";
import { describeUtm, recentUtm } from "./recent-utm.ts";
import { UtmTemplates } from "./utm-templates.tsx";

const { utm: texts } = linkFormTexts;
const words: Readonly<Record<UtmKey, { readonly label: string; readonly placeholder: string }>> = texts.keys;

interface UtmFieldsProps {
  readonly values: LinkValues;
  readonly onChange: (utm: LinkValues["utm"]) => void;
  readonly problemOf: (field: string) => string | undefined;
  readonly ownHosts: readonly string[];
}

/** Builds the tracking parameters and shows where visitors then arrive. */
export function UtmFields({ values, onChange, problemOf, ownHosts }: UtmFieldsProps) {
  const address = finalAddress(values, ownHosts);
  const own = ownUtm(values.destination_url);
  return (
    <div className="px-2 pt-1 pb-5">
      <div className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2">
        <UtmTemplates utm={values.utm} onChoose={onChange} />
        <RecentUtm onChoose={onChange} />
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        {utmKeys.map((key) => (
          <TextField
            key={key}
            label={words[key].label}
            placeholder={own[key] ?? words[key].placeholder}
            hint={own[key] !== undefined && values.utm[key] === "" && texts.inDestination}
            aside={<code className="text-xs">{key}</code>}
            maxLength={255}
            autoComplete="off"
            value={values.utm[key]}
            error={problemOf(`utm.${key}`)}
            onChange={(event) => onChange({ ...values.utm, [key]: event.target.value })}
          />
        ))}
      </div>
      <div className="mt-4 rounded-lg bg-sunken px-3 py-2.5">
        <div className="flex items-center justify-between gap-2">
          <h3 className="text-sm font-medium">{texts.arriveAt}</h3>
          {address !== null && <CopyButton text={address} label={texts.copy} />}
        </div>
        <output aria-label={texts.finalAddress} className="block font-mono text-xs leading-relaxed break-all text-soft">
          {address === null ? texts.noDestination : <Marked address={address} />}
        </output>
      </div>
    </div>
  );
}

/** What other links have, so that a campaign is spelled the same everywhere. */
function RecentUtm({ onChoose }: { readonly onChoose: (utm: LinkValues["utm"]) => void }) {
  const { account } = useWorkspace();
  const client = useQueryClient();
  const [sets] = useState(() => recentUtm(listedLinks(client, account.id)));
  if (sets.length === 0) return null;
  return (
    <fieldset aria-label={texts.recent} className="flex min-w-0 flex-wrap items-center gap-2">
      <span className="text-sm text-soft" aria-hidden>
        {texts.recent}
      </span>
      {sets.map((utm) => (
        <button
          key={describeUtm(utm)}
          type="button"
          className="max-w-full truncate rounded-full border border-line-strong px-3 py-1 text-sm hover:border-accent hover:text-accent"
          onClick={() => onChoose(utmValues(utm))}
        >
          {describeUtm(utm)}
        </button>
      ))}
    </fieldset>
  );
}

/** The address with its tracking parameters set off. */
const Marked = ({ address }: { readonly address: string }) =>
  address.split(/(utm_[a-z]+=[^&#]*)/).map((part, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts have nothing but their place
      <span key={index} className="font-medium text-accent">
        {part}
      </span>
    ) : (
      part
    ),
  );
