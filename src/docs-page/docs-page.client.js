const root = document.documentElement;
const reference = document.getElementById("reference");
const darkScheme = matchMedia("(prefers-color-scheme: dark)");

const followScheme = () => root.classList.toggle("dark-mode", darkScheme.matches);
followScheme();
darkScheme.addEventListener("change", followScheme);

/** Lists the rendered sections, to navigate a long reference without scrolling. */
function listSections() {
  const nav = document.querySelector(".page-sections");
  const headings = reference.querySelectorAll(
    ".opblock-tag-section:has(.opblock) .opblock-tag, .webhooks h2, .models h4",
  );
  // Buttons, not links: the renderer uses the URL fragment for its own deep links.
  const buttons = [...headings].map((heading) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = heading.dataset.tag ?? heading.textContent;
    button.addEventListener("click", () => heading.scrollIntoView());
    return button;
  });
  nav.replaceChildren(...buttons);
  nav.hidden = buttons.length === 0;
}

window.SwaggerUIBundle({
  url: reference.dataset.document,
  domNode: reference,
  deepLinking: true,
  displayRequestDuration: true,
  defaultModelExpandDepth: 2,
  docExpansion: "list",
  syntaxHighlight: { theme: "tomorrow-night" },
  validatorUrl: null,
  onComplete: () => requestAnimationFrame(listSections),
});
