import { useInfiniteQuery } from "@tanstack/react-query";
import { ScrollText } from "lucide-react";
import { useWorkspace } from "#console/api/session.tsx";
import { Button } from "#console/ui/button.tsx";
import { formatInstant } from "#console/ui/format.ts";
import { Loaded } from "#console/ui/loaded.tsx";
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
      <Loaded query={log}>
        {({ pages }) => {
          const entries = pages.flatMap((page) => page.data);
          if (entries.length === 0) return <Empty icon={<ScrollText aria-hidden />} title="Nothing has happened yet" />;
          return (
            <>
              <ol aria-label="Audit log">
                {entries.map((entry, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: entries have no id, and are only ever added at the end
                  <AuditRow key={index} entry={entry} />
                ))}
              </ol>
              {log.hasNextPage && (
                <div className="border-t border-line p-3 text-center">
                  <Button look="quiet" busy={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
                    Show more
                  </Button>
                </div>
              )}
            </>
          );
        }}
      </Loaded>
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
