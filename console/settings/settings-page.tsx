import { Outlet } from "@tanstack/react-router";
import { PageHead } from "#console/ui/panel.tsx";
import { TabBar } from "#console/ui/tab-bar.tsx";

const tabs = [
  { to: "/a/$account/settings", label: "Account", exact: true },
  { to: "/a/$account/settings/members", label: "Members" },
  { to: "/a/$account/settings/security", label: "Security" },
  { to: "/a/$account/settings/appearance", label: "Appearance" },
  { to: "/a/$account/settings/export", label: "Export" },
  { to: "/a/$account/settings/audit", label: "Audit log" },
] as const;

export const SettingsPage = () => (
  <>
    <PageHead title="Settings" />
    <TabBar label="Settings" tabs={tabs} />
    <Outlet />
  </>
);
