import type { ReactNode } from "react";
import { CopyButton } from "#console/ui/copy-button.tsx";
import { formatAddress, formatExact, formatInstant } from "#console/ui/format.ts";
import type { Link } from "#contract/link-record.ts";
import { linkFormTexts as texts } from "#texts/link-form.ts";
import { LinkBadge } from "./link-badge.tsx";
import { addressOf } from "./link-form-values.ts";
import { rulesOf } from "./rules/rule-values.ts";
import { ruleText } from "./rules/rule-words.ts";

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div className="grid gap-1 sm:grid-cols-[8rem_1fr]">
    <dt className="text-soft">{name}</dt>
    <dd className="min-w-0 break-words">{children}</dd>
  </div>
);

/** A link for those who may look but not touch. */
export const LinkFacts = ({ link }: { readonly link: Link }) => (
  <>
    <div className="mb-4 flex min-w-0 items-center gap-2">
      <span className="truncate font-semibold">{formatAddress(link.short_url)}</span>
      <CopyButton text={link.short_url} label={texts.copyShort} />
      <LinkBadge link={link} />
    </div>
    <dl className="grid gap-3 text-sm">
      {link.title !== null && <Fact name={texts.fields.title}>{link.title}</Fact>}
      <Fact name={texts.fields.destination_url}>
        <span className="font-mono text-xs break-all">{addressOf(link)}</span>
      </Fact>
      {link.rules.length > 0 && (
        <Fact name={texts.fields.rules}>
          <ol className="grid list-decimal gap-1 pl-5">
            {rulesOf(link.rules).map((rule) => (
              <li key={rule.key}>{ruleText(rule)}</li>
            ))}
          </ol>
        </Fact>
      )}
      {link.tags.length > 0 && <Fact name={texts.fields.tags}>{link.tags.join(", ")}</Fact>}
      <Fact name={texts.facts.clicks}>{formatExact(link.click_count)}</Fact>
      {link.max_clicks !== null && <Fact name={texts.fields.max_clicks}>{formatExact(link.max_clicks)}</Fact>}
      {link.starts_at !== null && <Fact name={texts.fields.starts_at}>{formatInstant(link.starts_at)}</Fact>}
      <Fact name={texts.facts.created}>{formatInstant(link.created_at)}</Fact>
      {link.expires_at !== null && <Fact name={texts.fields.expires_at}>{formatInstant(link.expires_at)}</Fact>}
      {link.expired_url !== null && (
        <Fact name={texts.facts.afterEnd}>
          <span className="font-mono text-xs break-all">{link.expired_url}</span>
        </Fact>
      )}
      {link.notes !== null && (
        <Fact name={texts.fields.notes}>
          <span className="whitespace-pre-wrap">{link.notes}</span>
        </Fact>
      )}
    </dl>
  </>
);
