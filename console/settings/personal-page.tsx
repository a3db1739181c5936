import { Outlet } from "@tanstack/react-router";
import { PageHead } from "#console/ui/panel.tsx";
import { TabBar } from "#console/ui/tab-bar.tsx";

const tabs = [
  { to: "/a/$account/personal", label: "Sign-in and security", exact: true },
  { to: "/a/$account/personal/appearance", label: "Appearance" },
] as const;

/** What concerns the person alone, whatever account is on screen. */
export const PersonalPage = () => (
  <>
    <PageHead title="Personal settings" note="For you, in every account." />
    <TabBar label="Personal settings" tabs={tabs} />
    <Outlet />
  </>
);
