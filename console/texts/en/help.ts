export const helpTexts = {
  title: "Keyboard shortcuts",
  everywhere: {
    title: "Everywhere",
    palette: "Commands and search",
    create: "Create a link",
    undo: "Undo the last action",
    help: "This help",
    close: "Close, or leave a field",
  },
  list: {
    title: "In the links list",
    search: "Search",
    move: "Move between links",
    open: "Open the link",
    select: "Select the link",
    selectSeveral: "Select several",
    selectAll: "Select all links in the list",
    paste: "Shorten the address you copied",
  },
  singleKeys: "Single-key shortcuts",
};
