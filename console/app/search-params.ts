/** Plain names and texts, as people write them: a name that is repeated is a list. */
export function parseSearch(text: string): Record<string, string | string[]> {
  const search: Record<string, string | string[]> = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const earlier = search[name];
    search[name] = earlier === undefined ? value : [earlier, value].flat();
  }
  return search;
}

/**
 * What a page reads of its address, and nothing else. The router lays what was read over what was there, so that a
 * value which was not understood would reach the page as it is: it has to be struck out by name.
 */
export const strictly =
  <S extends object>(read: (search: Record<string, unknown>) => S) =>
  (search: Record<string, unknown>): S => ({
    ...Object.fromEntries(Object.keys(search).map((name) => [name, undefined])),
    ...read(search),
  });

export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    for (const item of [value].flat()) {
      if (item !== undefined && item !== null) params.append(name, String(item));
    }
  }
  const text = params.toString();
  return text === "" ? "" : `?${text}`;
}
