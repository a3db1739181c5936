/** Why a file cannot be a logo, in words for the person who chose it. */
export class BadPicture extends Error {}
