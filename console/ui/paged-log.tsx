import type { ReactNode } from "react";
import { Loaded } from "./loaded.tsx";
import { MoreButton, type PagedQuery } from "./more-button.tsx";

interface PagedLogProps<T> {
  readonly query: PagedQuery & {
    readonly data: { readonly pages: readonly { readonly data: readonly T[] }[] } | undefined;
    readonly refetch: () => Promise<unknown>;
  };
  /** In the place of the rows where there are none. */
  readonly empty: ReactNode;
  readonly children: (rows: readonly T[]) => ReactNode;
}

/** What has happened, newest first; older pages come when asked for. */
export const PagedLog = <T,>({ query, empty, children }: PagedLogProps<T>) => (
  <Loaded query={query}>
    {({ pages }) => {
      const rows = pages.flatMap((page) => page.data);
      if (rows.length === 0) return empty;
      return (
        <>
          {children(rows)}
          <div className="border-t border-line empty:hidden">
            <MoreButton query={query} />
          </div>
        </>
      );
    }}
  </Loaded>
);
