/** Passes on at most one text per `everyMs`. What is dropped doesn't matter: the next text replaces it. */
export function throttle(onText: (text: string) => void, everyMs: number): (text: string) => void {
  let nextMs = 0;
  return (text) => {
    const now = performance.now();
    if (now < nextMs) return;
    nextMs = now + everyMs;
    onText(text);
  };
}
