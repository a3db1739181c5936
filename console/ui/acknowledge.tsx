import { useBlocker } from "@tanstack/react-router";
import { type ReactNode, useRef } from "react";
import { Button } from "./button.tsx";

interface AcknowledgeProps {
  readonly onDone: () => void;
  readonly children: ReactNode;
}

/**
 * The one way out of a locked dialog that shows something for the only time. Going back doesn't leave it either, and the
 * browser asks before it closes the tab.
 */
export function Acknowledge({ onDone, children }: AcknowledgeProps) {
  const isDone = useRef(false);
  useBlocker({ shouldBlockFn: () => !isDone.current, enableBeforeUnload: () => !isDone.current });
  function finish(): void {
    isDone.current = true;
    onDone();
  }
  return (
    <Button look="primary" data-acknowledge onClick={finish}>
      {children}
    </Button>
  );
}
