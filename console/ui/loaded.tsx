import type { ReactNode } from "react";
import { uiTexts as texts } from "#texts/ui.ts";
import { Failure } from "./failure.tsx";
import { Skeleton } from "./panel.tsx";

interface LoadedProps<T> {
  readonly query: {
    readonly data: T | undefined;
    readonly error: unknown;
    readonly refetch: () => Promise<unknown>;
  };
  readonly waiting?: ReactNode;
  readonly children: (data: T) => ReactNode;
}

/** What was asked for, what stands in its place until then, or why it does not come. */
export function Loaded<T>({ query: { data, error, refetch }, waiting = <RowSkeletons />, children }: LoadedProps<T>) {
  if (data !== undefined) return children(data);
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  return waiting;
}

const ROWS = [1, 2, 3];

const RowSkeletons = () => (
  <div role="status" aria-label={texts.loading}>
    {ROWS.map((row) => (
      <div
        key={row}
        className="flex items-center justify-between gap-6 border-line px-5 py-4 not-first:border-t sm:px-6"
      >
        <div className="grow">
          <Skeleton className="mb-2 h-4 w-48 max-w-full" />
          <Skeleton className="h-3 w-72 max-w-full" />
        </div>
        <Skeleton className="h-8 w-20" />
      </div>
    ))}
  </div>
);
