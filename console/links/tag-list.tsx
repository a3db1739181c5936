import { useContext } from "react";
import { TagTints } from "./use-tag-colors.ts";

interface TagListProps {
  readonly tags: readonly string[];
  /** How many there is room for. */
  readonly shown: number;
}

/** The first tags of a link, each in its own colour, and how many more there are. */
export function TagList({ tags, shown }: TagListProps) {
  const tintOf = useContext(TagTints);
  if (tags.length === 0) return null;
  return (
    // Columns that share what room there is evenly: a short tag is never cut for the sake of a long one.
    <span className="grid min-w-0 auto-cols-[minmax(0,max-content)] grid-flow-col gap-1.5" title={tags.join(", ")}>
      {tags.slice(0, shown).map((tag) => (
        <span key={tag} style={tintOf(tag)} className="tinted truncate rounded-full px-2 py-0.5 text-xs font-medium">
          {tag}
        </span>
      ))}
      {tags.length > shown && <span className="py-0.5 text-xs text-faint">+{tags.length - shown}</span>}
    </span>
  );
}
