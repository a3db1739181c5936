import { Sparkles } from "lucide-react";
import { linkTitleTexts as texts } from "#texts/link-title.ts";
import type { useTitleSuggestion } from "./use-title-suggestion.ts";

interface TitleAsideProps {
  readonly suggestion: Pick<ReturnType<typeof useTitleSuggestion>, "isLooking" | "isSuggested" | "clear">;
  /** What it says otherwise. */
  readonly plain: string;
}

/** Beside the label of the title: where it comes from, as long as nobody has changed it. */
export const TitleAside = ({ suggestion: { isLooking, isSuggested, clear }, plain }: TitleAsideProps) => (
  <span aria-live="polite">
    {isSuggested ? (
      <>
        {/* In the line, as the text it replaces: nothing below it moves. */}
        <Sparkles className="mr-1.5 inline size-3.5 align-[-0.125em] text-accent" aria-hidden />
        {texts.suggested}
        <button
          type="button"
          aria-label={texts.clearLabel}
          className="ml-2 rounded-md font-medium text-accent hover:underline"
          onClick={clear}
        >
          {texts.clear}
        </button>
      </>
    ) : (
      (isLooking && texts.looking) || plain
    )}
  </span>
);
