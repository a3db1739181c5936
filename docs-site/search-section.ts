/** What the search knows of one section of a page; all of them are one file, which browsers load on the first search. */
export interface SearchSection {
  /** The title of the page. */
  readonly page: string;
  /** With the section's anchor. */
  readonly path: string;
  /** Empty for the beginning of a page. */
  readonly heading: string;
  /** What the start page says about the page. */
  readonly about: string;
  readonly text: string;
}
