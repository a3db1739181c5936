import { prefetchList } from "#console/api/prefetch-list.ts";
import { applyTheme, readTheme } from "./theme.ts";

// Runs before the first paint, so that a dark page never flashes white.
applyTheme(readTheme());
// Whatever goes wrong is noticed and shown by the application, which takes the same response or asks again.
prefetchList().catch(() => {});
