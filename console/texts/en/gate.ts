/** Around the pages before an account. */
export const gateTexts = {
  language: "Language",
  wrongAddress: "Wrong address",
  opened: "You opened {opened}, but this server is set up for {expected}. Signing in only works there.",
  goThere: "Go to the right address",
  operator: "Do you run this server? To use the address you opened, set {setting} and restart it.",
};
