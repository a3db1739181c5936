/** A field with several values out of many. */
export const choicesTexts = {
  offered: (label: string) => `Choices for ${label}`,
  remove: (name: string) => `Remove ${name}`,
  isChosen: (name: string) => `${name} is already selected.`,
  noMatch: (plural: string) => `No matching ${plural}.`,
};
