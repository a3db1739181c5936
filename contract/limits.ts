/** Bounds that code without a schema needs too; the redirect process must not load the schema library for a number. */
export const DESTINATION_OCTETS_MAX = 8000;
