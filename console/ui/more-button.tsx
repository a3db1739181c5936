import { uiTexts as texts } from "#texts/ui.ts";
import { Button } from "./button.tsx";

/** What is read page by page, as far as its end is concerned. */
export interface PagedQuery {
  readonly error: Error | null;
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly isFetchNextPageError: boolean;
  readonly fetchNextPage: () => Promise<unknown>;
}

/** At the end of a list that goes on; where the next page could not be read it says why. */
export function MoreButton({ query }: { readonly query: PagedQuery }) {
  const { error, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query;
  if (!hasNextPage) return null;
  return (
    <div className="flex flex-wrap items-center justify-center gap-3 p-4 text-sm">
      {isFetchNextPageError && (
        <span role="alert" className="text-bad">
          {error?.message}
        </span>
      )}
      <Button size="small" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        {isFetchNextPageError ? texts.tryAgain : texts.showMore}
      </Button>
    </div>
  );
}
