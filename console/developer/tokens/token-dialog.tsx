import { useState } from "react";
import { Dialog } from "#console/ui/dialog.tsx";
import type { Scope } from "#contract/scopes.ts";
import { tokenTexts as texts } from "#texts/tokens.ts";
import { TokenForm } from "./token-form.tsx";
import { TokenShown } from "./token-shown.tsx";

interface TokenDialogProps {
  /** What the token may do, unless people choose otherwise. */
  readonly preselected?: readonly Scope[];
  readonly onClose: () => void;
}

/** From what a token is for to its value, which is shown only here. */
export function TokenDialog({ preselected = ["links:read"], onClose }: TokenDialogProps) {
  const [value, setValue] = useState<string | null>(null);
  return (
    <Dialog
      title={value === null ? texts.create : texts.shown.title}
      open
      onClose={onClose}
      size="wide"
      sticky
      locked={value !== null}
    >
      {value === null ? (
        <TokenForm preselected={preselected} onCreated={setValue} onClose={onClose} />
      ) : (
        <TokenShown value={value} onClose={onClose} />
      )}
    </Dialog>
  );
}
