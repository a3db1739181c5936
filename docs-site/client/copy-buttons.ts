const SHOWN_MS = 2000;

/** Adds a button to each block of code. Without a script there is none. */
export function addCopyButtons(): void {
  for (const block of document.querySelectorAll<HTMLElement>(".code-block")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    // Announces the change of the text.
    button.ariaLive = "polite";
    button.addEventListener("click", () => void copy(block.querySelector("code")?.textContent ?? "", button));
    block.querySelector(".code-head")?.append(button);
  }
}

async function copy(code: string, button: HTMLButtonElement): Promise<void> {
  const copied = await navigator.clipboard.writeText(code).then(
    () => true,
    () => false,
  );
  button.textContent = copied ? "Copied" : "Your browser blocked copying";
  setTimeout(() => {
    button.textContent = "Copy";
  }, SHOWN_MS);
}
