/** Explains to the user why a file can't be used as a logo. */
export class InvalidLogo extends Error {}
