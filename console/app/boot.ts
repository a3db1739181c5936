import { askFirst } from "#console/api/first-questions.ts";
import { applyTheme, readTheme } from "./theme.ts";

// Runs before the first paint, so that a dark page never flashes white.
applyTheme(readTheme());
// Whatever goes wrong is found out, and said, by the application when it asks itself.
askFirst().catch(() => {});
