import { Outlet } from "@tanstack/react-router";
import { PageHead } from "#console/ui/panel.tsx";
import { TabBar } from "#console/ui/tab-bar.tsx";

const tabs = [
  { to: "/a/$account/developer/tokens", label: "Tokens" },
  { to: "/a/$account/developer/webhooks", label: "Webhooks" },
  { to: "/a/$account/developer/api", label: "API" },
] as const;

export const DeveloperPage = () => (
  <>
    <PageHead title="Developer" note="Everything that programs need to work with your links." />
    <TabBar label="Developer" tabs={tabs} />
    <Outlet />
  </>
);
