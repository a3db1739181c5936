import { REFERENCE_PATH, START_PATH } from "../site-paths.ts";
import { addCopyButtons } from "./copy-buttons.ts";
import { followReading } from "./follow-reading.ts";
import { startSearch } from "./search.ts";
import { startThemeButton } from "./theme-button.ts";

// The API reference was at the start page's address before, and its own links begin with a slash.
if (location.pathname.replace(/\/$/, "") === START_PATH && location.hash.startsWith("#/")) {
  location.replace(REFERENCE_PATH + location.hash);
}
startThemeButton();
startSearch();
addCopyButtons();
followReading();
