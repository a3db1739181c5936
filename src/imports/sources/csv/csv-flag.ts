/** `undefined` if it is neither. */
export function flag(text: string): boolean | undefined {
  if (/^(?:true|yes|1|y|on)$/i.test(text)) return true;
  return /^(?:false|no|0|n|off)$/i.test(text) ? false : undefined;
}
