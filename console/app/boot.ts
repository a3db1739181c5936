import { prefetchList } from "#console/api/prefetch-list.ts";
import { applyTheme, readTheme } from "./theme.ts";

// Runs before the first paint, so that a dark page never flashes white.
applyTheme(readTheme());
prefetchList();
