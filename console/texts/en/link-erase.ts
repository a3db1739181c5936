/** The question before links leave the trash for good. */
export const eraseTexts = {
  /** As in "/spring" or "3 links". */
  title: (what: string) => `Delete ${what} for good?`,
  confirm: "Delete for good",
  one: "The link and its clicks are erased for good; nobody can restore them. Its address stays taken.",
  many: "The links and their clicks are erased for good; nobody can restore them. Their addresses stay taken.",
};
