import { Suspense } from "react";
import { lazyPart } from "#console/api/load-part.ts";
import { useSudoQuestion } from "#console/api/sudo.ts";

const SudoDialog = lazyPart(() => import("./sudo-dialog.tsx"), "SudoDialog");

/** Stands on every page where something dangerous can be done, and shows itself when the server asks who it is. */
export function SudoPrompt() {
  const settle = useSudoQuestion();
  return <Suspense>{settle && <SudoDialog onSettle={settle} />}</Suspense>;
}
