/**
 * The engine of Debian's Chromium without windows, extensions and background services: a page takes less than half the
 * CPU time. The command of that name is a script that may end before the engine.
 */
export const HEADLESS_SHELL = "/usr/lib/chromium/chromium-headless-shell";
