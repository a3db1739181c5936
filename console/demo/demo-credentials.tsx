import { CopyButton } from "#console/ui/copy-button.tsx";
import type { ConsoleState } from "#contract/console/session.ts";
import { demoTexts as texts } from "#texts/demo.ts";
import { uiTexts } from "#texts/ui.ts";

/** Public on purpose: for the API, and for signing in by hand. */
export function DemoCredentials({ demo }: { readonly demo: NonNullable<ConsoleState["demo"]> }) {
  const values = [
    [texts.token, demo.token],
    [texts.email, demo.email],
    [texts.password, demo.password],
  ] as const;
  return (
    <dl className="mt-3 grid gap-1 rounded-xl border border-line bg-sunken py-1 pr-1 pl-3 text-sm">
      {values.map(([name, value]) => (
        <div key={name} className="flex min-w-0 items-center gap-3">
          <dt className="w-20 shrink-0 text-soft">{name}</dt>
          <dd className="min-w-0 grow truncate font-mono text-xs" title={value}>
            {value}
          </dd>
          <CopyButton text={value} label={uiTexts.copyLabelled(name)} size="small" />
        </div>
      ))}
    </dl>
  );
}
