export const utmTexts = {
  templates: "Templates",
  none: "Fill in the parameters, then save them here for the next link. Everyone in the account can use them.",
  delete: (name: string) => `Delete template ${name}`,
  name: "Name of the template",
  saveAs: "Save these as",
  save: "Save",
  saved: (name: string) => `Saved the template “${name}”.`,
  deleted: (name: string) => `Deleted the template “${name}”.`,
};
