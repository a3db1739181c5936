/** At midnight (UTC) visitors get other hashes, and with them other ways of a split: work that spans it is done again. */
export async function withinOneDay<T>(work: () => Promise<T>): Promise<T> {
  const today = (): string => new Date().toISOString().slice(0, 10);
  const day = today();
  const result = await work();
  return today() === day ? result : work();
}
