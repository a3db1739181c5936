/** Whether a person will look at the answer: a browser that opens an address says so, and older ones ask for HTML. */
export function isNavigation(headers: Pick<Headers, "get">): boolean {
  const mode = headers.get("sec-fetch-mode");
  return mode === null ? (headers.get("accept") ?? "").includes("text/html") : mode === "navigate";
}
