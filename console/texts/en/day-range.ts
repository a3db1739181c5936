export const dayRangeTexts = {
  title: "Custom range",
  first: "First day",
  last: "Last day",
  beforeFirst: "Must not be before the first day.",
  show: "Show",
};
