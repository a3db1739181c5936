import { useState } from "react";
import { Dialog } from "#console/ui/dialog.tsx";
import { tokenTexts as texts } from "#texts/tokens.ts";
import { TokenForm } from "./token-form.tsx";
import { TokenShown } from "./token-shown.tsx";

/** From what a token is for to its value, which is shown only here. */
export function TokenDialog({ onClose }: { readonly onClose: () => void }) {
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
        <TokenForm onCreated={setValue} onClose={onClose} />
      ) : (
        <TokenShown value={value} onClose={onClose} />
      )}
    </Dialog>
  );
}
