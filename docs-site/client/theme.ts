import { applyTheme, readTheme } from "#console/app/theme.ts";

// Loaded before the first paint, so that a dark page never flashes white. The choice is the console's.
applyTheme(readTheme());
