interface Page<T> {
  readonly data: readonly T[];
  readonly next_cursor: string | null;
}

/** What all pages have, each fetched when it is needed. */
export async function* allPages<T, Q extends { readonly cursor?: string | undefined }>(
  query: Q,
  list: (query: Q) => Promise<Page<T>>,
): AsyncGenerator<T, void, undefined> {
  let cursor = query.cursor;
  do {
    const page = await list({ ...query, cursor });
    yield* page.data;
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
}
