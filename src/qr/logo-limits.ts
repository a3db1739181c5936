export const LOGO_BYTES_MAX = 512 * 1024;
export const LOGO_SIDE_MAX = 1024;

/** Why a file cannot be a logo, in words for the person who chose it. */
export class BadPicture extends Error {}
