import { Badge, type Tone } from "#console/ui/panel.tsx";
import type { Domain } from "#contract/domain-record.ts";
import { domainTexts } from "#texts/domains.ts";
import { isRecordMissing } from "./record-missing.ts";

const texts = domainTexts.badges;

function statusOf(domain: Domain): { readonly tone: Tone; readonly label: string } {
  if (domain.status === "lost") return { tone: "bad", label: texts.lost };
  if (domain.status === "pending") return { tone: "warn", label: texts.pending };
  return isRecordMissing(domain)
    ? { tone: "warn", label: texts.recordMissing }
    : { tone: "good", label: texts.verified };
}

export function DomainBadges({ domain }: { readonly domain: Domain }) {
  const { tone, label } = statusOf(domain);
  return (
    <>
      <Badge tone={tone}>{label}</Badge>
      {domain.is_default && <Badge tone="accent">{texts.default}</Badge>}
    </>
  );
}
