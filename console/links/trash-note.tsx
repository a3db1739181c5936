import { RotateCcw, Trash2 } from "lucide-react";
import { Button } from "#console/ui/button.tsx";
import { formatDay } from "#console/ui/format.ts";
import type { Link } from "#contract/link-record.ts";
import { linkFormTexts } from "#texts/link-form.ts";
import { useLinkChanges } from "./link-changes.ts";

const { trash: texts } = linkFormTexts;

interface TrashNoteProps {
  readonly link: Link;
  readonly erasesAt: string;
  readonly mayRestore: boolean;
}

/** Says that a link is in the trash, and brings it back. */
export function TrashNote({ link, erasesAt, mayRestore }: TrashNoteProps) {
  const { act } = useLinkChanges();
  return (
    <div className="mb-4 flex flex-wrap items-center gap-3 rounded-xl bg-sunken px-4 py-3 text-sm">
      <Trash2 className="size-4 shrink-0 text-faint" aria-hidden />
      <p className="min-w-0 grow text-soft">{texts.until(formatDay(erasesAt))}</p>
      {mayRestore && (
        <Button size="small" onClick={() => act(link, "restore")}>
          <RotateCcw className="size-4" aria-hidden />
          {texts.restore}
        </Button>
      )}
    </div>
  );
}
