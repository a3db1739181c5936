import type { ConsoleState } from "#contract/console/session.ts";

export const DemoNote = ({ demo }: { readonly demo: NonNullable<ConsoleState["demo"]> }) => (
  <dl className="mt-5 grid grid-cols-[auto_1fr] gap-x-3 gap-y-1 rounded-xl bg-sunken p-4 text-sm">
    <dt className="text-soft">E-mail</dt>
    <dd className="font-mono break-all">{demo.email}</dd>
    <dt className="text-soft">Password</dt>
    <dd className="font-mono break-all">{demo.password}</dd>
    <dt className="text-soft">API token</dt>
    <dd className="font-mono break-all">{demo.token}</dd>
  </dl>
);
