import { useEffect } from "react";
import { useWorkspace } from "#console/api/session.tsx";
import { Dialog } from "#console/ui/dialog.tsx";
import { newsTexts as texts } from "#texts/news.ts";
import { markNewsSeen } from "./news-seen.ts";
import { whatsNew } from "./whats-new.ts";

export function NewsDialog({ onClose }: { readonly onClose: () => void }) {
  const { state } = useWorkspace();
  useEffect(markNewsSeen, []);
  return (
    <Dialog title={texts.title} open onClose={onClose}>
      <ul className="grid gap-4">
        {whatsNew.map(({ id, entry: { title, text } }) => (
          <li key={id} className="border-l-2 border-accent pl-4">
            <h3 className="font-medium">{title}</h3>
            <p className="mt-0.5 text-sm text-soft">{text}</p>
          </li>
        ))}
      </ul>
      <p className="mt-5 text-sm text-faint">{texts.version(state.version)}</p>
    </Dialog>
  );
}
