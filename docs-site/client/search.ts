import type { SearchSection } from "../search-section.ts";
import { findSections } from "./find-sections.ts";
import { excerptOf, piecesOf } from "./question.ts";

/** Makes an element with attributes and children. */
function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string>>,
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

const marked = (text: string, question: string): Node[] =>
  piecesOf(text, question).map((piece, index) =>
    index % 2 === 1 ? make("mark", {}, piece) : document.createTextNode(piece),
  );

let loading: Promise<readonly SearchSection[]> | undefined;

/** Loaded on the first use; the next use retries a failed one. */
function loadIndex(): Promise<readonly SearchSection[]> {
  loading ??= fetch(document.body.dataset.searchIndex ?? "")
    .then((response) => {
      if (!response.ok) throw new Error(`status ${response.status}`);
      return response.json() as Promise<readonly SearchSection[]>;
    })
    .catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
  return loading;
}

/** The search: `/` or a click opens it, arrow keys choose, Enter goes there. */
export function startSearch(): void {
  const button = document.querySelector<HTMLButtonElement>(".search-button");
  if (!button) return;
  const field = make("input", {
    type: "search",
    role: "combobox",
    "aria-label": "Search the docs",
    "aria-expanded": "false",
    "aria-controls": "search-results",
    "aria-autocomplete": "list",
    placeholder: "Search the docs",
    autocomplete: "off",
    spellcheck: "false",
    enterkeyhint: "go",
  });
  const list = make("div", { id: "search-results", role: "listbox", "aria-label": "Results" });
  const note = make("p", { class: "search-note", role: "status" });
  const close = make("button", { type: "button", class: "control" }, "Close");
  const dialog = make(
    "dialog",
    { class: "search", "aria-label": "Search" },
    make("div", { class: "search-field" }, field, close),
    list,
    note,
  );
  document.body.append(dialog);
  button.hidden = false;

  let chosen = 0;
  const options = (): HTMLElement[] => [...list.querySelectorAll<HTMLElement>("[role=option]")];

  const choose = (index: number): void => {
    const all = options();
    chosen = all.length === 0 ? 0 : (index + all.length) % all.length;
    for (const [at, option] of all.entries()) option.setAttribute("aria-selected", String(at === chosen));
    const current = all[chosen];
    if (current) {
      field.setAttribute("aria-activedescendant", current.id);
      current.scrollIntoView({ block: "nearest" });
    } else field.removeAttribute("aria-activedescendant");
  };

  const show = async (): Promise<void> => {
    const question = field.value.trim();
    const sections = await loadIndex().catch(() => null);
    // The question of a later key is shown by its own call.
    if (question !== field.value.trim()) return;
    const found = sections ? findSections(sections, question) : [];
    list.replaceChildren(...found.map((section, index) => renderResult(section, question, index)));
    list.hidden = found.length === 0;
    field.setAttribute("aria-expanded", String(found.length > 0));
    note.textContent = noteOf(question, found.length, sections !== null);
    choose(0);
  };

  const open = (): void => {
    if (dialog.open) return;
    dialog.showModal();
    field.select();
    void show();
  };

  button.addEventListener("click", open);
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog || event.target instanceof HTMLAnchorElement) dialog.close();
  });
  field.addEventListener("input", () => void show());
  field.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      choose(chosen + (event.key === "ArrowDown" ? 1 : -1));
    } else if (event.key === "Enter" && !event.isComposing) {
      event.preventDefault();
      options()[chosen]?.click();
    }
  });
  document.addEventListener("keydown", (event) => {
    const isSlash = event.key === "/" && !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping(event.target);
    const isPalette = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey);
    if (!isSlash && !isPalette) return;
    event.preventDefault();
    open();
  });
}

function renderResult(section: SearchSection, question: string, index: number): HTMLElement {
  const title = section.heading === "" ? section.page : section.heading;
  return make(
    "a",
    { role: "option", id: `search-result-${index}`, href: section.path, tabindex: "-1" },
    make("span", { class: "search-page" }, section.heading === "" ? "Page" : section.page),
    make("strong", {}, ...marked(title, question)),
    make("span", { class: "search-excerpt" }, ...marked(excerptOf(section.text, question), question)),
  );
}

function noteOf(question: string, found: number, isLoaded: boolean): string {
  if (!isLoaded) return "The search can’t be loaded right now. Try again in a moment.";
  if (question === "") return "Type a few words, such as “rate limit” or “restore a backup”.";
  return found === 0 ? `No results for “${question}”.` : `${found} ${found === 1 ? "result" : "results"}`;
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
