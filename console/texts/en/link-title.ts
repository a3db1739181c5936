/** The title that a page suggests for a new link. */
export const linkTitleTexts = {
  looking: "Reading the page’s title…",
  suggested: "From the page",
  clear: "Clear",
  clearLabel: "Clear the suggested title",
};
