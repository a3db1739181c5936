import { Lock } from "lucide-react";
import type { ReactNode } from "react";
import { useWorkspace } from "#console/api/session.tsx";
import type { Role } from "#contract/roles.ts";
import { roleGateTexts as texts } from "#texts/roles.ts";
import { Empty, Panel } from "./panel.tsx";

interface RoleGateProps {
  readonly least: Role;
  /** What is behind it, as in "API tokens". */
  readonly what: string;
  readonly children: ReactNode;
}

/** Shows what a role may see, and to others why they do not see it. */
export function RoleGate({ least, what, children }: RoleGateProps) {
  const { account, may } = useWorkspace();
  if (may(least)) return children;
  return (
    <Panel>
      <Empty icon={<Lock aria-hidden />} title={texts.title(what, least)}>
        {texts.note(account.name, account.role)}
      </Empty>
    </Panel>
  );
}
