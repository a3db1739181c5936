import { Outlet } from "@tanstack/react-router";
import { PageHead } from "#console/ui/panel.tsx";
import { TabBar } from "#console/ui/tab-bar.tsx";

const tabs = [
  { to: "/a/$account/settings", label: "General", exact: true },
  { to: "/a/$account/settings/members", label: "Members" },
  { to: "/a/$account/settings/export", label: "Export" },
  { to: "/a/$account/settings/audit", label: "Audit log" },
] as const;

/** What concerns everyone in the account; a person's own settings are apart. */
export const SettingsPage = () => (
  <>
    <PageHead title="Settings" note="For everyone in this account." />
    <TabBar label="Settings" tabs={tabs} />
    <Outlet />
  </>
);
