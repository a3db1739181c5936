const SHOWN_MS = 2000;

/** Adds a button to each block of code. Without a script there is none. */
export function addCopyButtons(): void {
  for (const block of document.querySelectorAll<HTMLElement>("pre.code")) {
    const wrapper = document.createElement("div");
    wrapper.className = "code-block";
    block.replaceWith(wrapper);
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    // Announces the change of the text.
    button.ariaLive = "polite";
    button.addEventListener("click", () => void copy(block, button));
    wrapper.append(block, button);
  }
}

async function copy(block: HTMLElement, button: HTMLButtonElement): Promise<void> {
  const copied = await navigator.clipboard.writeText(block.textContent ?? "").then(
    () => true,
    () => false,
  );
  button.textContent = copied ? "Copied" : "Your browser blocked copying";
  setTimeout(() => {
    button.textContent = "Copy";
  }, SHOWN_MS);
}
