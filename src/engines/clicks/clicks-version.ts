/** The version of a clicks file that this release writes; a release that knows a lower one only can't open it. */
export const CLICKS_VERSION = 4;
