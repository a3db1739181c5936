/** Bounds and spellings that code without schemas needs too: the redirect process must not load a schema library. */
export const DESTINATION_OCTETS_MAX = 8000;
export const TARGET_OCTETS_MAX = 8192;
export const BODY_BYTES_MAX = 65_536;

/** Of the picture in the middle of QR codes, as a file and in pixels of each side. */
export const LOGO_BYTES_MAX = 512 * 1024;
export const LOGO_SIDE_MAX = 1024;

export const SLUG_PATTERN = /^[A-Za-z0-9](?:[A-Za-z0-9_-]{0,62}[A-Za-z0-9])?$/;

/** In the order in which they are sent. */
export const utmKeys = ["utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content"] as const;
