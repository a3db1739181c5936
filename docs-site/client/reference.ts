import { type ResolveSubtree, resolverOf } from "./resolve-subtree.ts";

interface Renderer {
  preauthorizeApiKey(scheme: string, value: string): void;
  readonly authActions: { logout(schemes: readonly string[]): void };
}

interface RendererPlugin {
  readonly fn: { readonly resolveSubtree: ResolveSubtree };
}

interface RendererOptions {
  readonly spec: object;
  readonly plugins: readonly (() => RendererPlugin)[];
  readonly domNode: Element;
  readonly deepLinking: boolean;
  readonly displayRequestDuration: boolean;
  readonly defaultModelExpandDepth: number;
  readonly docExpansion: "list";
  readonly syntaxHighlight: { readonly theme: string };
  readonly validatorUrl: null;
  readonly persistAuthorization: boolean;
  readonly onComplete: () => void;
}

declare const SwaggerUIBundle: (options: RendererOptions) => Renderer;

const SCHEME = "bearerToken";

interface Identity {
  readonly account: { readonly name: string };
  readonly token: { readonly name: string; readonly scopes: readonly string[] };
}

function find<E extends Element>(selector: string): E {
  const element = document.querySelector<E>(selector);
  if (!element) throw new Error(`the page has no ${selector}`);
  return element;
}

const reference = find<HTMLElement>("#reference");

/** Lists the rendered sections, to navigate a long reference without scrolling. */
function listSections(): void {
  const nav = find<HTMLElement>(".reference-sections");
  const headings = reference.querySelectorAll<HTMLElement>(
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

/** The form for the reader's token. It stays in the memory of this page: in no address, cookie or storage. */
function startTokenForm(renderer: Renderer): void {
  const form = find<HTMLFormElement>("form.token");
  const field = find<HTMLInputElement>("#token");
  const note = find<HTMLElement>("#token-note");
  const forget = find<HTMLButtonElement>("form.token .secondary");
  const hint = note.textContent ?? "";

  const say = (text: string, state: "none" | "good" | "bad"): void => {
    note.textContent = text;
    form.dataset.state = state;
    forget.hidden = state !== "good";
  };

  const check = async (token: string): Promise<void> => {
    const response = await fetch("/api/v1/me", { headers: { authorization: `Bearer ${token}` } });
    const answer = (await response.json()) as Identity & { readonly error?: { readonly message: string } };
    if (!response.ok) {
      say(answer.error?.message ?? `The server answered ${response.status}.`, "bad");
      return;
    }
    renderer.preauthorizeApiKey(SCHEME, token);
    field.value = "";
    const { account, token: own } = answer;
    say(`Requests use the token “${own.name}” of ${account.name}: ${own.scopes.join(", ")}.`, "good");
  };

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const token = field.value.trim();
    if (token === "") return field.focus();
    check(token).catch(() => say("The server can’t be reached. Try again.", "bad"));
  });
  forget.addEventListener("click", () => {
    renderer.authActions.logout([SCHEME]);
    say(hint, "none");
    field.focus();
  });
  form.hidden = false;
}

async function start(): Promise<void> {
  reference.textContent = "Loading the operations…";
  const response = await fetch(reference.dataset.document ?? "");
  const spec = (await response.json()) as object;
  const renderer = SwaggerUIBundle({
    // Requests go to where this page comes from, under whatever name the reader opened it.
    spec: { ...spec, servers: [{ url: location.origin }] },
    plugins: [() => ({ fn: { resolveSubtree: resolverOf(location.origin + location.pathname) } })],
    domNode: reference,
    deepLinking: true,
    displayRequestDuration: true,
    defaultModelExpandDepth: 2,
    docExpansion: "list",
    syntaxHighlight: { theme: "tomorrow-night" },
    validatorUrl: null,
    persistAuthorization: false,
    onComplete: () => requestAnimationFrame(listSections),
  });
  startTokenForm(renderer);
}

start().catch(() => {
  reference.textContent = "The reference can’t be loaded right now. Reload the page to try again.";
});
