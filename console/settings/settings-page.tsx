import { Link, Outlet } from "@tanstack/react-router";
import { useWorkspace } from "#console/api/session.tsx";
import { PageHead } from "#console/ui/panel.tsx";
import { activeTabClasses, TabBar, tabClasses } from "#console/ui/tabs.tsx";

const tabs = [
  { to: "/a/$account/settings", label: "Account", exact: true },
  { to: "/a/$account/settings/members", label: "Members", exact: false },
  { to: "/a/$account/settings/security", label: "Security", exact: false },
  { to: "/a/$account/settings/appearance", label: "Appearance", exact: false },
  { to: "/a/$account/settings/export", label: "Export", exact: false },
  { to: "/a/$account/settings/audit", label: "Audit log", exact: false },
] as const;

export function SettingsPage() {
  const { account } = useWorkspace();
  return (
    <>
      <PageHead title="Settings" />
      <TabBar label="Settings">
        {tabs.map(({ to, label, exact }) => (
          <li key={to}>
            <Link
              to={to}
              params={{ account: account.id }}
              className={tabClasses}
              activeProps={{ className: activeTabClasses }}
              activeOptions={{ exact }}
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
