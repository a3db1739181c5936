import { Download } from "lucide-react";
import { Acknowledge } from "#console/ui/acknowledge.tsx";
import { Button } from "#console/ui/button.tsx";
import { CopyButton } from "#console/ui/copy-button.tsx";
import { DialogFooter } from "#console/ui/dialog.tsx";
import { saveFile } from "#console/ui/save-file.ts";
import { securityTexts as texts } from "#texts/security.ts";
import { uiTexts } from "#texts/ui.ts";

interface BackupCodesProps {
  readonly codes: readonly string[];
  readonly onClose: () => void;
}

/** For the day the phone is lost; shown this once. */
export function BackupCodes({ codes, onClose }: BackupCodesProps) {
  const text = `${codes.join("\n")}\n`;
  const download = () => saveFile(new Blob([text], { type: "text/plain" }), texts.codesFile);
  return (
    <>
      <p className="mb-4 rounded-lg bg-warn-soft px-3 py-2 text-sm text-warn">{texts.codesNote}</p>
      <ul aria-label={texts.codes} className="grid grid-cols-2 gap-2 rounded-xl bg-sunken p-4 text-center font-mono">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <DialogFooter>
        <CopyButton text={text} label={texts.copyCodes} look="plain" size="normal">
          {uiTexts.copy}
        </CopyButton>
        <Button onClick={download}>
          <Download className="size-4" aria-hidden />
          {texts.download}
        </Button>
        <Acknowledge onDone={onClose}>{texts.savedThem}</Acknowledge>
      </DialogFooter>
    </>
  );
}
