import { Download } from "lucide-react";
import { Acknowledge } from "#console/ui/acknowledge.tsx";
import { Button } from "#console/ui/button.tsx";
import { CopyButton } from "#console/ui/copy-button.tsx";
import { DialogFooter } from "#console/ui/dialog.tsx";
import { saveFile } from "#console/ui/save-file.ts";

interface BackupCodesProps {
  readonly codes: readonly string[];
  readonly onClose: () => void;
}

/** For the day the phone is lost; shown this once. */
export function BackupCodes({ codes, onClose }: BackupCodesProps) {
  const text = `${codes.join("\n")}\n`;
  const download = () => saveFile(new Blob([text], { type: "text/plain" }), "kurz-backup-codes.txt");
  return (
    <>
      <p className="mb-4 rounded-lg bg-warn-soft px-3 py-2 text-sm text-warn">
        Keep these where you find them without your phone. Each signs you in once, and they are not shown again.
      </p>
      <ul aria-label="Backup codes" className="grid grid-cols-2 gap-2 rounded-xl bg-sunken p-4 text-center font-mono">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <DialogFooter>
        <CopyButton text={text} label="Copy backup codes" look="plain" size="normal">
          Copy
        </CopyButton>
        <Button onClick={download}>
          <Download className="size-4" aria-hidden />
          Download
        </Button>
        <Acknowledge onDone={onClose}>I’ve saved them</Acknowledge>
      </DialogFooter>
    </>
  );
}
