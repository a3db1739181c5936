import { CircleUser, Globe, KeyRound, Link2, type LucideIcon, Settings, ShieldX, Webhook } from "lucide-react";
import { formatInstant } from "#console/ui/format.ts";
import { When } from "#console/ui/when.tsx";
import type { AuditEntry } from "#contract/console/account.ts";
import { auditTexts as texts } from "#texts/audit.ts";
import { auditActor, auditSentence, topicOf } from "./audit-text.ts";

const icons: Readonly<Record<string, LucideIcon>> = {
  access: ShieldX,
  domain: Globe,
  link: Link2,
  member: CircleUser,
  token: KeyRound,
  webhook: Webhook,
};

interface AuditRowProps {
  readonly entry: AuditEntry;
  /** Shows only this link; nothing where it is the only one already. */
  readonly onLink: ((id: string) => void) | undefined;
}

/** Who did what, from where and when. */
export function AuditRow({ entry, onLink }: AuditRowProps) {
  const topic = topicOf(entry.action);
  const Icon = icons[topic] ?? Settings;
  const sentence = auditSentence(entry);
  const place = texts.places[entry.from];
  return (
    <li className="flex items-start gap-3 border-line px-5 py-3 not-first:border-t sm:px-6">
      <span
        aria-hidden
        className="-my-1 flex size-7 shrink-0 items-center justify-center rounded-lg bg-sunken text-soft"
      >
        <Icon className="size-4" />
      </span>
      <div className="flex min-w-0 grow flex-wrap items-baseline justify-between gap-x-6 gap-y-0.5">
        <p className="min-w-0 flex-1 basis-64 break-words">
          <span className="font-medium">{auditActor(entry)}</span>{" "}
          {topic === "link" && onLink ? (
            <button
              type="button"
              className="text-left underline decoration-line-strong underline-offset-2 hover:decoration-current"
              title={texts.onlyThisLink}
              onClick={() => onLink(entry.subject)}
            >
              {sentence}
            </button>
          ) : (
            sentence
          )}
          {place && <span className="text-sm text-faint"> · {place}</span>}
        </p>
        <p className="text-sm whitespace-nowrap text-faint">
          {formatInstant(entry.at)} · <When instant={entry.at} />
        </p>
      </div>
    </li>
  );
}
