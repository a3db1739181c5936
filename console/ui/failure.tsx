import { CloudOff } from "lucide-react";
import type { ReactNode } from "react";
import { CallError } from "#console/api/call.ts";
import { uiTexts as texts } from "#texts/ui.ts";
import { Button } from "./button.tsx";
import { Empty } from "./panel.tsx";

interface FailureProps {
  readonly error: unknown;
  readonly onRetry?: () => void;
  /** A way out that is better than to try the same again. */
  readonly action?: ReactNode;
}

/** In the place of what could not be loaded. */
export function Failure({ error, onRetry, action }: FailureProps) {
  const message = error instanceof Error ? error.message : texts.wentWrong;
  const requestId = error instanceof CallError ? error.requestId : null;
  return (
    <Empty
      icon={<CloudOff aria-hidden />}
      title={texts.notLoaded}
      action={action ?? (onRetry && <Button onClick={onRetry}>{texts.tryAgain}</Button>)}
    >
      {message}
      {requestId && <span className="mt-1 block font-mono text-xs text-faint">{requestId}</span>}
    </Empty>
  );
}
