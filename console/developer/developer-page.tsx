import { Link, Outlet } from "@tanstack/react-router";
import { useWorkspace } from "#console/api/session.tsx";
import { PageHead } from "#console/ui/panel.tsx";
import { activeTabClasses, TabBar, tabClasses } from "#console/ui/tabs.tsx";

const tabs = [
  { to: "/a/$account/developer/tokens", label: "Tokens" },
  { to: "/a/$account/developer/webhooks", label: "Webhooks" },
  { to: "/a/$account/developer/api", label: "API" },
] as const;

export function DeveloperPage() {
  const { account } = useWorkspace();
  return (
    <>
      <PageHead title="Developer" note="Everything that programs need to work with your links." />
      <TabBar label="Developer">
        {tabs.map(({ to, label }) => (
          <li key={to}>
            <Link
              to={to}
              params={{ account: account.id }}
              className={tabClasses}
              activeProps={{ className: activeTabClasses }}
            >
              {label}
            </Link>
          </li>
        ))}
      </TabBar>
      <Outlet />
    </>
  );
}
