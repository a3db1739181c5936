import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { X } from "lucide-react";
import { useWorkspace } from "#console/api/session.tsx";
import { useLink } from "#console/links/use-link.ts";
import { Button, buttonClasses } from "#console/ui/button.tsx";
import { Select } from "#console/ui/field.tsx";
import { listMembers, listTokens } from "#contract/console/account.ts";
import { auditTexts as texts } from "#texts/audit.ts";
import type { AuditSearch } from "./audit-search.ts";
import { auditActor } from "./audit-text.ts";

interface AuditFiltersProps {
  readonly search: AuditSearch;
  readonly onChange: (search: AuditSearch) => void;
}

/** Who, what, and which link. */
export function AuditFilters({ search, onChange }: AuditFiltersProps) {
  const actors = useActors();
  const { actor, action, link } = search;
  const change = (part: { readonly [K in keyof AuditSearch]: AuditSearch[K] | undefined }) => {
    const merged = { ...search, ...part };
    onChange({
      ...(merged.actor && { actor: merged.actor }),
      ...(merged.action && { action: merged.action }),
      ...(merged.link && { link: merged.link }),
    });
  };
  return (
    <div className="flex flex-wrap gap-2">
      <Select
        aria-label={texts.who}
        className="h-8! text-sm"
        value={actor ?? ""}
        onChange={(event) => change({ actor: event.target.value || undefined })}
      >
        <option value="">{texts.anyone}</option>
        {/* One that has left is in nobody's list, and yet may be filtered by. */}
        {actor !== undefined && !actors.some(({ value }) => value === actor) && (
          <option value={actor}>{auditActor({ actor, actor_name: null })}</option>
        )}
        {actors.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </Select>
      <Select
        aria-label={texts.whatFilter}
        className="h-8! text-sm"
        value={action ?? ""}
        onChange={(event) => change({ action: event.target.value || undefined })}
      >
        <option value="">{texts.everything}</option>
        {texts.topics
          .flatMap(([topic, label, actions = {}]) => [[topic, label], ...Object.entries(actions)])
          .map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
      </Select>
      {link !== undefined && <LinkChip id={link} onRemove={() => change({ link: undefined })} />}
    </div>
  );
}

/** The only link that is shown, by its name unless it is gone for good, and the way to it. */
function LinkChip({ id, onRemove }: { readonly id: string; readonly onRemove: () => void }) {
  const { account } = useWorkspace();
  const { data: link } = useLink(id);
  const name = link ? `/${link.slug}` : texts.oneLink;
  return (
    <>
      <Button size="small" aria-label={texts.showAllLinks(name)} className="max-w-full" onClick={onRemove}>
        <span className="truncate">{name}</span>
        <X className="size-4 shrink-0" aria-hidden />
      </Button>
      {link && (
        <Link
          to="/a/$account/links"
          params={{ account: account.id }}
          search={{ edit: id }}
          className={buttonClasses({ look: "quiet", size: "small" })}
        >
          {texts.openLink}
        </Link>
      )}
    </>
  );
}

/** Everyone who may have changed something: people, tokens, and the server's own hands. */
function useActors(): readonly { readonly value: string; readonly label: string }[] {
  const { account, call } = useWorkspace();
  const members = useQuery({ queryKey: ["members", account.id], queryFn: () => call(listMembers) });
  const tokens = useQuery({ queryKey: ["tokens", account.id], queryFn: () => call(listTokens) });
  return [
    ...(members.data?.members ?? []).map(({ user_id, name }) => ({ value: `user:${user_id}`, label: name })),
    ...(tokens.data?.data ?? []).map(({ id, name }) => ({ value: `token:${id}`, label: texts.tokenChoice(name) })),
    ...["operator", "blocklist", "system"].map((actor) => ({
      value: actor,
      label: auditActor({ actor, actor_name: null }),
    })),
  ];
}
