import { Skeleton } from "#console/ui/panel.tsx";
import { linkTexts as texts } from "#texts/links.ts";

const ROWS = [56, 40, 64, 48, 52, 36];

/** What is on its way, in the shape it will have. */
export const LinkSkeletons = () => (
  <div role="status" aria-label={texts.loading}>
    {ROWS.map((width) => (
      <div key={width} className="flex h-29 items-center gap-4 border-b border-line px-4 last:border-0 sm:h-19">
        <Skeleton className="size-4 shrink-0" />
        <Skeleton className="size-9 shrink-0 rounded-lg! max-sm:hidden" />
        <div className="grow">
          <Skeleton className="mb-2.5 h-4 w-40" />
          <div style={{ width: `${width}%` }}>
            <Skeleton className="h-3.5" />
          </div>
        </div>
        <Skeleton className="h-7 w-20 rounded-full! max-sm:hidden" />
      </div>
    ))}
  </div>
);
