/** Passes on at most one text in so many milliseconds; a newer one says all that was left out. */
export function throttle(tell: (text: string) => void, everyMs: number): (text: string) => void {
  let nextMs = 0;
  return (text) => {
    const now = performance.now();
    if (now < nextMs) return;
    nextMs = now + everyMs;
    tell(text);
  };
}
