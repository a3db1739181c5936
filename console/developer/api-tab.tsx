import { ExternalLink } from "lucide-react";
import { Suspense } from "react";
import { lazyPart } from "#console/api/load-part.ts";
import { useWorkspace } from "#console/api/session.tsx";
import { PlanUsage } from "#console/settings/plan-usage.tsx";
import { useAccount } from "#console/settings/use-account.ts";
import { buttonClasses } from "#console/ui/button.tsx";
import { CodeBlock } from "#console/ui/code-block.tsx";
import { CopyButton } from "#console/ui/copy-button.tsx";
import { Loaded } from "#console/ui/loaded.tsx";
import { Skeleton } from "#console/ui/panel.tsx";
import { Section } from "#console/ui/section.tsx";
import { developerTexts as texts } from "#texts/developer.ts";

const DemoToken = lazyPart(() => import("#console/demo/demo-token.tsx"), "DemoToken");

const curlExample = (base: string) => `curl ${base}/api/v1/links \\
  -H "Authorization: Bearer $TOKEN" \\
  -H "Content-Type: application/json" \\
  -d '{"destination_url": "https://example.com/sale", "tags": ["spring"]}'`;

const clientExample = (base: string) => `import { Kurz } from "@kurz/sdk";

const kurz = new Kurz({ baseUrl: "${base}", token: process.env.TOKEN ?? "" });

const link = await kurz.links.create({ destination_url: "https://example.com/sale" });
console.log(link.short_url);

const { totals } = await kurz.links.analytics(link.id, { interval: "7d" });
console.log(totals.clicks);`;

export function ApiTab() {
  const { state } = useWorkspace();
  const account = useAccount();
  const base = state.base_url;
  return (
    <>
      <Section
        title={texts.reference}
        note={texts.referenceNote}
        action={
          <div className="flex flex-wrap gap-2">
            <a href="/docs/api" target="_blank" rel="noreferrer" className={buttonClasses({ look: "primary" })}>
              {texts.openReference}
              <ExternalLink className="size-4" aria-hidden />
            </a>
            <a href="/api/v1/openapi.json?download=1" className={buttonClasses()}>
              OpenAPI
            </a>
          </div>
        }
      >
        <p className="mb-1 text-sm font-medium">{texts.baseUrl}</p>
        <div className="flex items-center gap-1">
          <code className="min-w-0 rounded-lg bg-sunken px-3 py-2 font-mono text-sm break-all">{base}/api/v1</code>
          <CopyButton text={`${base}/api/v1`} label={texts.copyBaseUrl} />
        </div>
      </Section>
      <Section title={texts.quickStart} note={texts.quickStartNote}>
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
          <div>
            <h3 className="mb-1.5 text-sm font-medium">TypeScript</h3>
            <CodeBlock label={texts.clientExample} code={clientExample(base)} />
          </div>
        </div>
      </Section>
      <Section title={texts.limits} note={texts.limitsNote}>
        <Loaded query={account} waiting={<Skeleton className="h-40" />}>
          {(data) => <PlanUsage account={data} />}
        </Loaded>
      </Section>
    </>
  );
}
