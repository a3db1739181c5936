import type { ReactNode } from "react";
import { CopyButton } from "#console/ui/copy-button.tsx";
import { domainTexts } from "#texts/domains.ts";

const texts = domainTexts.record;

export interface Record {
  readonly type: string;
  readonly name: string;
  readonly value: string;
}

/** A record as the forms of DNS providers ask for it. */
export const DnsRecord = ({ type, name, value }: Record) => (
  <dl className="mt-3 overflow-hidden rounded-xl border border-line bg-sunken text-sm">
    <Part term={texts.type} text={type} label={texts.copyType(type)} />
    <Part term={texts.name} text={name} label={texts.copyName(type)} />
    <Part term={texts.value} text={value} label={texts.copyValue(type)} />
  </dl>
);

interface PartProps {
  readonly term: string;
  readonly text: string;
  readonly label: string;
}

const Part = ({ term, text, label }: PartProps): ReactNode => (
  <div className="flex items-center gap-3 border-line py-1 pr-1 pl-4 not-first:border-t">
    <dt className="w-12 shrink-0 text-soft">{term}</dt>
    <dd className="flex min-w-0 grow items-center justify-between gap-2">
      <span className="min-w-0 font-mono text-[0.8125rem] break-all">{text}</span>
      <CopyButton text={text} label={label} />
    </dd>
  </div>
);
