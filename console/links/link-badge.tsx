import { LockKeyhole, type LucideIcon, Split } from "lucide-react";
import { Badge, type Tone } from "#console/ui/panel.tsx";
import type { Link } from "#contract/link-record.ts";
import { linkTexts } from "#texts/links.ts";

const { badge: texts } = linkTexts;

/** What keeps a link from redirecting, the gravest first; nothing for one that works. */
export function statusOf(link: Link): { readonly label: string; readonly tone: Tone } | null {
  if (link.erases_at !== null) return trashStatus(link.erases_at);
  if (link.blocked) return { label: texts.blocked, tone: "bad" };
  if (link.state === "archived") return { label: texts.archived, tone: "plain" };
  if (link.expired) return { label: texts.expired, tone: "plain" };
  if (link.exhausted) return { label: texts.exhausted, tone: "plain" };
  if (link.state === "paused") return { label: texts.paused, tone: "warn" };
  if (link.scheduled) return { label: texts.scheduled, tone: "accent" };
  return null;
}

const DAY_MS = 86_400_000;
const FEW_DAYS = 3;

/** How long it can still be restored. */
function trashStatus(erasesAt: string): { readonly label: string; readonly tone: Tone } {
  const days = Math.max(1, Math.ceil((Date.parse(erasesAt) - Date.now()) / DAY_MS));
  return { label: texts.daysLeft(days), tone: days <= FEW_DAYS ? "warn" : "plain" };
}

export function LinkBadge({ link }: { readonly link: Link }) {
  const status = statusOf(link);
  return (
    <>
      {status && <Badge tone={status.tone}>{status.label}</Badge>}
      {link.password_protected && <Mark icon={LockKeyhole} label={texts.password} />}
      {link.rules.length > 0 && <Mark icon={Split} label={texts.rules(link.rules.length)} />}
    </>
  );
}

interface MarkProps {
  readonly icon: LucideIcon;
  readonly label: string;
}

const Mark = ({ icon: Icon, label }: MarkProps) => (
  <span title={label} className="relative z-10 shrink-0 text-faint">
    <Icon className="size-3.5" aria-hidden />
    <span className="sr-only">{label}</span>
  </span>
);
