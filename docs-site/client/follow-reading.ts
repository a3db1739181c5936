/** Marks the section that is being read in the list of sections, and closes the list once one was chosen. */
export function followReading(): void {
  const list = document.querySelector<HTMLElement>("#contents");
  if (!list) return;
  const links = [...list.querySelectorAll<HTMLAnchorElement>("a")];
  const headings = links.flatMap((link) => document.getElementById(decodeURIComponent(link.hash.slice(1))) ?? []);
  list.addEventListener("click", (event) => {
    if (event.target instanceof HTMLAnchorElement && list.matches(":popover-open")) list.hidePopover();
  });
  const mark = (): void => {
    // Below the bar at the top, where a heading stands after its link was followed.
    const line = innerHeight / 4;
    const current = headings.findLast((heading) => heading.getBoundingClientRect().top <= line) ?? headings[0];
    for (const link of links) {
      if (current && link.hash === `#${current.id}`) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
  };
  let isWaiting = false;
  addEventListener(
    "scroll",
    () => {
      if (isWaiting) return;
      isWaiting = true;
      requestAnimationFrame(() => {
        isWaiting = false;
        mark();
      });
    },
    { passive: true },
  );
  mark();
}
