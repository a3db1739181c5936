import { ExternalLink } from "lucide-react";
import { useWorkspace } from "#console/api/session.tsx";
import { PlanUsage } from "#console/settings/plan-usage.tsx";
import { useAccount } from "#console/settings/use-account.ts";
import { buttonClasses } from "#console/ui/button.tsx";
import { CodeBlock } from "#console/ui/code-block.tsx";
import { CopyButton } from "#console/ui/copy-button.tsx";
import { Loaded } from "#console/ui/loaded.tsx";
import { Skeleton } from "#console/ui/panel.tsx";
import { Section } from "#console/ui/section.tsx";
import { MCP_PATH } from "#contract/limits.ts";
import { developerTexts as texts } from "#texts/developer.ts";
import { QuickStart } from "./quick-start.tsx";

const assistantExample = (base: string) => `{
  "mcpServers": {
    "kurz": {
      "type": "http",
      "url": "${base}${MCP_PATH}",
      "headers": { "Authorization": "Bearer …" }
    }
  }
}`;

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
        <Address label={texts.baseUrl} url={`${base}/api/v1`} copyLabel={texts.copyBaseUrl} />
      </Section>
      <QuickStart />
      <Section title={texts.assistants} note={texts.assistantsNote}>
        <div className="grid grid-cols-1 gap-4">
          <Address label={texts.assistantAddress} url={base + MCP_PATH} copyLabel={texts.copyAssistantAddress} />
          <CodeBlock label={texts.assistantExample} code={assistantExample(base)} />
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

interface AddressProps {
  readonly label: string;
  readonly url: string;
  readonly copyLabel: string;
}

const Address = ({ label, url, copyLabel }: AddressProps) => (
  <div>
    <p className="mb-1 text-sm font-medium">{label}</p>
    <div className="flex items-center gap-1">
      <code className="min-w-0 rounded-lg bg-sunken px-3 py-2 font-mono text-sm break-all">{url}</code>
      <CopyButton text={url} label={copyLabel} />
    </div>
  </div>
);
