/**
 * To be called where a click moves or closes what is under the pointer: if it turns out to be a double click, the second
 * one hits nothing.
 */
export function ignoreSecondClick(): void {
  function onClick(event: MouseEvent): void {
    if (event.detail > 1) {
      event.preventDefault();
      event.stopImmediatePropagation();
    } else removeEventListener("click", onClick, true);
  }
  addEventListener("click", onClick, true);
}
