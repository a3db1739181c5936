import { useQuery } from "@tanstack/react-query";
import { MonitorSmartphone } from "lucide-react";
import { useWorkspace } from "#console/api/session.tsx";
import { useChange } from "#console/api/use-change.ts";
import { Button } from "#console/ui/button.tsx";
import { Loaded } from "#console/ui/loaded.tsx";
import { Badge } from "#console/ui/panel.tsx";
import { Section } from "#console/ui/section.tsx";
import { toast } from "#console/ui/toast.tsx";
import { When } from "#console/ui/when.tsx";
import { endOtherSessions, endSession, listSessions, type UserSession } from "#contract/console/user.ts";
import { securityTexts as texts } from "#texts/security.ts";

export function SessionSection() {
  const { account, call } = useWorkspace();
  const query = useQuery({ queryKey: ["sessions", account.id], queryFn: () => call(listSessions) });
  const endAll = useChange(() => call(endOtherSessions), {
    refreshes: ["sessions"],
    onDone: () => toast(texts.othersEnded),
  });
  const hasOthers = (query.data?.data.length ?? 0) > 1;
  return (
    <Section
      title={texts.sessions}
      note={texts.sessionsNote}
      action={
        hasOthers && (
          <Button look="danger" busy={endAll.isPending} onClick={() => endAll.mutate()}>
            {texts.endOthers}
          </Button>
        )
      }
      flush
    >
      <Loaded query={query}>
        {({ data }) => (
          <ul aria-label={texts.sessions}>
            {data.map((session) => (
              <SessionRow key={session.id} session={session} />
            ))}
          </ul>
        )}
      </Loaded>
    </Section>
  );
}

function SessionRow({ session }: { readonly session: UserSession }) {
  const { call } = useWorkspace();
  const { id, device, current, created_at, last_used_at, signed_in_by } = session;
  const end = useChange(() => call(endSession, { params: { id } }), { refreshes: ["sessions"] });
  const name = device === null ? texts.unknownDevice : texts.device(device);
  return (
    <li className="flex items-center justify-between gap-3 border-line px-5 py-3.5 not-first:border-t sm:px-6">
      <MonitorSmartphone className="size-5 shrink-0 text-faint" aria-hidden />
      <div className="min-w-0 grow">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          {name}
          {current && <Badge tone="good">{texts.thisSession}</Badge>}
        </p>
        <p className="text-sm text-soft">
          <When said={texts.sessionUsed} instant={last_used_at} /> ·{" "}
          <When said={texts.sessionBegan} instant={created_at} />
          {signed_in_by !== null && ` ${texts.sessionBy[signed_in_by]}`}
        </p>
      </div>
      {!current && (
        <Button size="small" aria-label={texts.endOn(name)} busy={end.isPending} onClick={() => end.mutate()}>
          {texts.end}
        </Button>
      )}
    </li>
  );
}
