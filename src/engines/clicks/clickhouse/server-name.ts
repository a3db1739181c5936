/** The database, as an operator knows it; its password is left out. */
export function nameServer(url: string): string {
  const { host, pathname } = new URL(url);
  return `ClickHouse at ${host}, database "${decodeURIComponent(pathname.slice(1)) || "default"}"`;
}
