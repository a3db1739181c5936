import { Badge, type Tone } from "#console/ui/panel.tsx";
import type { Domain } from "#contract/domain-record.ts";

/** Its links work, but another account could take the name over. */
export const isRecordMissing = ({ verified_by, last_problem }: Domain): boolean =>
  verified_by === "dns" && last_problem !== null;

function statusOf(domain: Domain): { readonly tone: Tone; readonly label: string } {
  if (domain.status === "lost") return { tone: "bad", label: "Lost" };
  if (domain.status === "pending") return { tone: "warn", label: "Not verified" };
  return isRecordMissing(domain) ? { tone: "warn", label: "Record missing" } : { tone: "good", label: "Verified" };
}

export function DomainBadges({ domain }: { readonly domain: Domain }) {
  const { tone, label } = statusOf(domain);
  return (
    <>
      <Badge tone={tone}>{label}</Badge>
      {domain.is_default && <Badge tone="accent">Default</Badge>}
    </>
  );
}
