/** A LIKE pattern in which `%`, `_` and `\` of the text match themselves; needs `escape '\'`. */
export const containsPattern = (text: string): string => `%${text.replace(/[\\%_]/g, "\\$&")}%`;
