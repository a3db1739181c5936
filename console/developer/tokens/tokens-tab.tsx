import { useQuery } from "@tanstack/react-query";
import { KeyRound, Plus } from "lucide-react";
import { Suspense } from "react";
import { lazyPart } from "#console/api/load-part.ts";
import { useWorkspace } from "#console/api/session.tsx";
import { useNewDialog } from "#console/app/new-dialog.ts";
import { Button } from "#console/ui/button.tsx";
import { Loaded } from "#console/ui/loaded.tsx";
import { Empty } from "#console/ui/panel.tsx";
import { RoleGate } from "#console/ui/role-note.tsx";
import { Section } from "#console/ui/section.tsx";
import { listTokens, type Token } from "#contract/console/account.ts";
import { demoTexts } from "#texts/demo.ts";
import { tokenTexts as texts } from "#texts/tokens.ts";
import { TokenDialog } from "./token-dialog.tsx";
import { endOf, TokenRow } from "./token-row.tsx";

const DemoToken = lazyPart(() => import("#console/demo/demo-token.tsx"), "DemoToken");

export const TokensTab = () => (
  <RoleGate least="admin" what={texts.title}>
    <TokenList />
  </RoleGate>
);

function TokenList() {
  const { account, state, call } = useWorkspace();
  const creating = useNewDialog();
  const tokens = useQuery({ queryKey: ["tokens", account.id], queryFn: () => call(listTokens) });
  const create = (
    <Button look="primary" onClick={creating.open} disabled={state.demo !== null}>
      <Plus className="size-4" aria-hidden />
      {texts.create}
    </Button>
  );
  return (
    <>
      <Section title={texts.title} note={texts.note} action={create} flush>
        {state.demo && (
          <div className="border-b border-line px-5 py-4 sm:px-6">
            <p className="mb-3 text-sm text-soft">{demoTexts.noTokens}</p>
            <Suspense>
              <DemoToken />
            </Suspense>
          </div>
        )}
        <Loaded query={tokens}>
          {({ data }) =>
            data.length === 0 ? (
              <Empty icon={<KeyRound aria-hidden />} title={texts.none}>
                {texts.noneNote}
              </Empty>
            ) : (
              <TokenRows tokens={data} />
            )
          }
        </Loaded>
      </Section>
      {creating.isOpen && !state.demo && <TokenDialog onClose={creating.close} />}
    </>
  );
}

/** Those that work first, each group newest first. */
function TokenRows({ tokens }: { readonly tokens: readonly Token[] }) {
  const newestFirst = tokens.toSorted((a, b) => b.created_at.localeCompare(a.created_at));
  const live = newestFirst.filter((token) => endOf(token) === null);
  const ended = newestFirst.filter((token) => endOf(token) !== null);
  return (
    <ul aria-label={texts.title}>
      {[...live, ...ended].map((token) => (
        <TokenRow key={token.id} token={token} />
      ))}
    </ul>
  );
}
