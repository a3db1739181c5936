import { useInfiniteQuery } from "@tanstack/react-query";
import { ScrollText } from "lucide-react";
import { useWorkspace } from "#console/api/session.tsx";
import { formatInstant } from "#console/ui/format.ts";
import { PagedLog } from "#console/ui/paged-log.tsx";
import { Empty } from "#console/ui/panel.tsx";
import { RoleGate } from "#console/ui/role-note.tsx";
import { Section } from "#console/ui/section.tsx";
import { type AuditEntry, listAudit } from "#contract/console/account.ts";
import { auditActor, auditSentence } from "./audit-text.ts";

export const AuditTab = () => (
  <RoleGate least="admin" what="Audit logs">
    <AuditList />
  </RoleGate>
);

function AuditList() {
  const { account, call } = useWorkspace();
  const log = useInfiniteQuery({
    queryKey: ["audit", account.id],
    queryFn: ({ pageParam }) => call(listAudit, { query: { before: pageParam } }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ next_before }) => next_before ?? undefined,
  });
  return (
    <Section title="Audit log" note="Who changed what about the account, its members, tokens and webhooks." flush>
      <PagedLog query={log} empty={<Empty icon={<ScrollText aria-hidden />} title="Nothing has happened yet" />}>
        {(entries) => (
          <ol aria-label="Audit log">
            {entries.map((entry, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: entries have no id, and a row keeps nothing of its own
              <AuditRow key={index} entry={entry} />
            ))}
          </ol>
        )}
      </PagedLog>
    </Section>
  );
}

const AuditRow = ({ entry }: { readonly entry: AuditEntry }) => (
  <li className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-0.5 border-line px-5 py-3 not-first:border-t sm:px-6">
    <p className="min-w-0 flex-1 basis-64 break-words">
      <span className="font-medium">{auditActor(entry)}</span> {auditSentence(entry)}
    </p>
    <time dateTime={entry.at} className="text-sm whitespace-nowrap text-faint">
      {formatInstant(entry.at)}
    </time>
  </li>
);
