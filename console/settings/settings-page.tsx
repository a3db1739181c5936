import { Outlet } from "@tanstack/react-router";
import { PageHead } from "#console/ui/panel.tsx";
import { TabBar } from "#console/ui/tab-bar.tsx";
import { settingsTexts as texts } from "#texts/settings.ts";

const tabs = [
  { to: "/a/$account/settings", label: texts.tabs.general, exact: true },
  { to: "/a/$account/settings/members", label: texts.tabs.members },
  { to: "/a/$account/settings/tags", label: texts.tabs.tags },
  { to: "/a/$account/settings/import", label: texts.tabs.import },
  { to: "/a/$account/settings/export", label: texts.tabs.export },
  { to: "/a/$account/settings/audit", label: texts.tabs.audit },
] as const;

/** What concerns everyone in the account; a person's own settings are apart. */
export const SettingsPage = () => (
  <>
    <PageHead title={texts.title} note={texts.note} />
    <TabBar label={texts.title} tabs={tabs} />
    <Outlet />
  </>
);
