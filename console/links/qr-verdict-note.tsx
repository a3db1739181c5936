import { CircleCheck, TriangleAlert } from "lucide-react";
import { classes } from "#console/ui/classes.ts";
import { qrTexts as texts } from "#texts/qr.ts";
import type { QrVerdict } from "./qr-verdict.ts";

/** How well the code on screen will scan, and why. */
export const QrVerdictNote = ({ verdict: { tone, title, notes } }: { readonly verdict: QrVerdict }) => {
  const Icon = tone === "good" ? CircleCheck : TriangleAlert;
  return (
    <section
      aria-label={texts.verdict.label}
      aria-live="polite"
      className={classes(
        "mt-3 rounded-xl px-3 py-2.5 text-sm",
        tone === "good" ? "bg-good-soft text-good" : "bg-warn-soft text-warn",
      )}
    >
      <p className="flex items-center gap-2 font-medium">
        <Icon className="size-4 shrink-0" aria-hidden />
        {title}
      </p>
      <ul className="mt-1 space-y-0.5">
        {notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    </section>
  );
};
