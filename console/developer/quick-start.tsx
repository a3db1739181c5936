import { Plus } from "lucide-react";
import { Suspense } from "react";
import { lazyPart } from "#console/api/load-part.ts";
import { useWorkspace } from "#console/api/session.tsx";
import { useNewDialog } from "#console/app/new-dialog.ts";
import { Button } from "#console/ui/button.tsx";
import { CodeBlock } from "#console/ui/code-block.tsx";
import { Section } from "#console/ui/section.tsx";
import type { Scope } from "#contract/scopes.ts";
import { developerTexts as texts } from "#texts/developer.ts";
import { scopeTexts } from "#texts/scopes.ts";
import { tokenTexts } from "#texts/tokens.ts";
import { TokenDialog } from "./tokens/token-dialog.tsx";

const DemoToken = lazyPart(() => import("#console/demo/demo-token.tsx"), "DemoToken");

/** What the examples below call. */
const needed: readonly Scope[] = ["links:write", "analytics:read"];

const curlExample = (base: string) => `curl ${base}/api/v1/links \\
  -H "Authorization: Bearer $TOKEN" \\
  -H "Content-Type: application/json" \\
  -d '{"destination_url": "https://example.com/sale", "tags": ["spring"]}'`;

const installCommand = (base: string) => `npm install ${base}/docs/clients/kurz-sdk.tgz`;

const clientExample = (base: string) => `import { Kurz } from "@kurz/sdk";

const kurz = new Kurz({ baseUrl: "${base}", token: process.env.TOKEN ?? "" });

const link = await kurz.links.create({ destination_url: "https://example.com/sale" });
console.log(link.short_url);

const { totals } = await kurz.links.analytics(link.id, { interval: "7d" });
console.log(totals.clicks);`;

/** From a token to a first link and its report: what is shown runs as it is. */
export function QuickStart() {
  const { state, may } = useWorkspace();
  const creating = useNewDialog();
  const base = state.base_url;
  const canCreate = may("admin") && !state.demo;
  const note = texts.quickStartNote(needed.map((scope) => scopeTexts[scope].label));
  const create = (
    <Button onClick={creating.open}>
      <Plus className="size-4" aria-hidden />
      {tokenTexts.create}
    </Button>
  );
  return (
    <Section
      title={texts.quickStart}
      note={may("admin") ? note : `${note} ${texts.quickStartAdmins}`}
      action={canCreate && create}
    >
      <div className="grid grid-cols-1 gap-4">
        {state.demo && (
          <Suspense>
            <DemoToken />
          </Suspense>
        )}
        <div>
          <h3 className="mb-1.5 text-sm font-medium">curl</h3>
          <CodeBlock label={texts.curlExample} code={curlExample(base)} />
        </div>
        <div className="grid grid-cols-1 gap-2">
          <h3 className="text-sm font-medium">TypeScript</h3>
          <CodeBlock label={texts.installCommand} code={installCommand(base)} />
          <CodeBlock label={texts.clientExample} code={clientExample(base)} />
        </div>
      </div>
      {creating.isOpen && canCreate && <TokenDialog preselected={needed} onClose={creating.close} />}
    </Section>
  );
}
