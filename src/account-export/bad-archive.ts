/** A file that isn't an archive as Kurz writes it. The message is for the person who gave it. */
export class BadArchive extends Error {
  override readonly name = "BadArchive";
}
