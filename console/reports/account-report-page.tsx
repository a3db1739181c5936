import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback } from "react";
import { reportTexts as texts } from "#texts/reports.ts";
import { useConsoleSource } from "./console-source.tsx";
import { Report } from "./report.tsx";
import type { ShowReport } from "./report-context.tsx";

export function AccountReportPage() {
  const search = useSearch({ from: "/a/$account/reports" });
  const navigate = useNavigate({ from: "/a/$account/reports" });
  const source = useConsoleSource(null);
  const show = useCallback<ShowReport>(
    (change, { replace = false } = {}) => void navigate({ to: ".", search: change, replace, resetScroll: false }),
    [navigate],
  );
  return <Report source={source} search={search} show={show} title={texts.title} />;
}
