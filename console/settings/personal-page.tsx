import { Outlet } from "@tanstack/react-router";
import { PageHead } from "#console/ui/panel.tsx";
import { TabBar } from "#console/ui/tab-bar.tsx";
import { settingsTexts as texts } from "#texts/settings.ts";

const tabs = [
  { to: "/a/$account/personal", label: texts.personalTabs.security, exact: true },
  { to: "/a/$account/personal/appearance", label: texts.personalTabs.appearance },
] as const;

/** What concerns the person alone, whatever account is on screen. */
export const PersonalPage = () => (
  <>
    <PageHead title={texts.personalTitle} note={texts.personalNote} />
    <TabBar label={texts.personalTitle} tabs={tabs} />
    <Outlet />
  </>
);
