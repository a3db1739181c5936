const BEAT_MS = 5;
const HELD_UP_MS = 25;

/** Milliseconds since the start, which do not go on while a busy machine holds this process up. Ends when it is read. */
export function startStopwatch(): () => number {
  let ms = 0;
  let beatAt = performance.now();
  const beat = (): void => {
    const now = performance.now();
    ms += Math.min(now - beatAt, HELD_UP_MS);
    beatAt = now;
  };
  const timer = setInterval(beat, BEAT_MS);
  return () => {
    clearInterval(timer);
    beat();
    return ms;
  };
}
