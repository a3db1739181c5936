import { useQuery } from "@tanstack/react-query";
import { type CSSProperties, createContext, useMemo } from "react";
import { useWorkspace } from "#console/api/session.tsx";
import { tintOf } from "#console/ui/tint.ts";
import { listTagColors } from "#contract/console/links.ts";
import type { TagColor } from "#contract/tags.ts";

const STALE_MS = 300_000;

/** Each as far from the others as they can be. */
const hues: Readonly<Record<TagColor, number>> = {
  gray: 250,
  red: 25,
  orange: 55,
  yellow: 95,
  green: 145,
  teal: 190,
  blue: 250,
  purple: 300,
  pink: 350,
};

/** For an element of the class `tinted`. */
export const tintOfColor = (color: TagColor): CSSProperties =>
  ({ "--hue": hues[color], ...(color === "gray" && { "--chroma": 0 }) }) as CSSProperties;

export type TagTint = (tag: string) => CSSProperties;

/** For the rows of a list, so that not each of them asks. */
export const TagTints = createContext<TagTint>(tintOf);

/** The color that was chosen for a tag, or one that follows from its name. */
export function useTagTint(): TagTint {
  const { account, call } = useWorkspace();
  const { data } = useQuery({
    queryKey: ["tag-colors", account.id],
    queryFn: async ({ signal }) => {
      const { data: colors } = await call(listTagColors, { signal });
      return new Map(colors.map(({ tag, color }) => [tag, color]));
    },
    staleTime: STALE_MS,
  });
  return useMemo(() => {
    if (!data || data.size === 0) return tintOf;
    return (tag) => {
      const color = data.get(tag.toLowerCase());
      return color ? tintOfColor(color) : tintOf(tag);
    };
  }, [data]);
}
