import { Outlet } from "@tanstack/react-router";
import { PageHead } from "#console/ui/panel.tsx";
import { TabBar } from "#console/ui/tab-bar.tsx";
import { developerTexts as texts } from "#texts/developer.ts";

const tabs = [
  { to: "/a/$account/developer/tokens", label: texts.tabs.tokens },
  { to: "/a/$account/developer/webhooks", label: texts.tabs.webhooks },
  { to: "/a/$account/developer/api", label: texts.tabs.api },
] as const;

export const DeveloperPage = () => (
  <>
    <PageHead title={texts.title} note={texts.note} />
    <TabBar label={texts.title} tabs={tabs} />
    <Outlet />
  </>
);
