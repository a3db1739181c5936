import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { ScrollText, SearchX } from "lucide-react";
import { useWorkspace } from "#console/api/session.tsx";
import { Button } from "#console/ui/button.tsx";
import { PagedLog } from "#console/ui/paged-log.tsx";
import { Empty } from "#console/ui/panel.tsx";
import { RoleGate } from "#console/ui/role-note.tsx";
import { Section } from "#console/ui/section.tsx";
import { listAudit } from "#contract/console/account.ts";
import { auditTexts as texts } from "#texts/audit.ts";
import { AuditFilters } from "./audit-filters.tsx";
import { AuditRow } from "./audit-row.tsx";
import type { AuditSearch } from "./audit-search.ts";

export const AuditTab = () => (
  <RoleGate least="admin" what={texts.what}>
    <AuditList />
  </RoleGate>
);

const from = "/a/$account/settings/audit";

function AuditList() {
  const { account, call } = useWorkspace();
  const { actor, action, link } = useSearch({ from });
  const navigate = useNavigate({ from });
  const search: AuditSearch = { ...(actor && { actor }), ...(action && { action }), ...(link && { link }) };
  const log = useInfiniteQuery({
    queryKey: ["audit", account.id, search],
    queryFn: ({ pageParam, signal }) => call(listAudit, { query: { ...search, before: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_before }) => next_before ?? undefined,
    placeholderData: keepPreviousData,
  });
  const show = (next: AuditSearch) => void navigate({ to: ".", search: next, resetScroll: false });
  const isFiltered = Object.keys(search).length > 0;
  return (
    <Section title={texts.title} note={texts.note} flush>
      <div className="border-b border-line px-5 py-3 sm:px-6">
        <AuditFilters search={search} onChange={show} />
      </div>
      <PagedLog query={log} empty={<NothingFound isFiltered={isFiltered} onClear={() => show({})} />}>
        {(entries) => (
          <ol aria-label={texts.title}>
            {entries.map((entry, index) => (
              <AuditRow
                // biome-ignore lint/suspicious/noArrayIndexKey: entries have no id, and a row keeps nothing of its own
                key={index}
                entry={entry}
                onLink={link === undefined ? (id) => show({ link: id }) : undefined}
              />
            ))}
          </ol>
        )}
      </PagedLog>
    </Section>
  );
}

interface NothingFoundProps {
  readonly isFiltered: boolean;
  readonly onClear: () => void;
}

const NothingFound = ({ isFiltered, onClear }: NothingFoundProps) =>
  isFiltered ? (
    <Empty
      icon={<SearchX aria-hidden />}
      title={texts.noMatch}
      action={<Button onClick={onClear}>{texts.clear}</Button>}
    />
  ) : (
    <Empty icon={<ScrollText aria-hidden />} title={texts.nothing} />
  );
