import { Download } from "lucide-react";
import { urlOf } from "#console/api/call.ts";
import { useWorkspace } from "#console/api/session.tsx";
import { buttonClasses } from "#console/ui/button.tsx";
import { type Import, importProblems } from "#contract/console/imports.ts";
import { importTexts as texts } from "#texts/imports.ts";
import { hasProblems } from "./import-state.ts";

/** What couldn't be imported as it was, row by row. */
export function ProblemsButton({ found }: { readonly found: Import }) {
  const { account } = useWorkspace();
  if (!hasProblems(found)) return null;
  return (
    <a href={urlOf(importProblems, { id: found.id }, { account: account.id })} download className={buttonClasses()}>
      <Download className="size-4" aria-hidden />
      {texts.problems}
    </a>
  );
}
