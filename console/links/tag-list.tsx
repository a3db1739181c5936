import { tintOf } from "#console/ui/tint.ts";

interface TagListProps {
  readonly tags: readonly string[];
  /** How many there is room for. */
  readonly shown: number;
}

/** The first tags of a link, each in its own colour, and how many more there are. */
export function TagList({ tags, shown }: TagListProps) {
  if (tags.length === 0) return null;
  return (
    <span className="flex min-w-0 gap-1.5" title={tags.join(", ")}>
      {tags.slice(0, shown).map((tag) => (
        <span
          key={tag}
          style={tintOf(tag)}
          className="tinted max-w-24 truncate rounded-full px-2 py-0.5 text-xs font-medium"
        >
          {tag}
        </span>
      ))}
      {tags.length > shown && <span className="py-0.5 text-xs text-faint">+{tags.length - shown}</span>}
    </span>
  );
}
