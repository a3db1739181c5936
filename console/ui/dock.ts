/**
 * For a bar that stays near the bottom of the page: while it is there, notices are shown above it. As a ref of the bar,
 * which grows with what it says, and moves with the page while the page is short.
 */
export function dock(bar: HTMLElement): () => void {
  const { style } = document.documentElement;
  function measure(): void {
    style.setProperty("--dock-reach", `${Math.max(0, innerHeight - bar.getBoundingClientRect().top)}px`);
  }
  const observer = new ResizeObserver(measure);
  observer.observe(bar);
  observer.observe(document.body);
  for (const event of ["scroll", "resize"] as const) addEventListener(event, measure, { passive: true });
  return () => {
    observer.disconnect();
    for (const event of ["scroll", "resize"] as const) removeEventListener(event, measure);
    style.removeProperty("--dock-reach");
  };
}
