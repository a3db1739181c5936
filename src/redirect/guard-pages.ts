import { html, nothing } from "./html.ts";
import { renderPage } from "./page-layout.ts";
import { type Language, textsByLanguage } from "./texts/language.ts";

export interface GuardPage {
  readonly language: Language;
  /** The host that shows the page. */
  readonly site: string;
  /** Path and query of the short link, as the visitor opened it. */
  readonly target: string;
}

export function renderPasswordForm({ language, site, target }: GuardPage, isWrong: boolean): string {
  const texts = textsByLanguage[language].password;
  const invalid = isWrong ? html` aria-invalid="true" aria-describedby="wrong"` : nothing;
  return renderPage({
    language,
    site,
    tone: "plain",
    sign: "lock",
    title: texts.title,
    heading: html`${texts.title}`,
    body: html`<p>${texts.text}</p>
<form method="post" action="${target}">
<label for="password">${texts.label}</label>
<input id="password" name="password" type="password" required maxlength="128" autocomplete="off" autofocus${invalid}>
${isWrong ? html`<p class="wrong" id="wrong" role="alert">${texts.wrong}</p>` : nothing}
<button class="go">${texts.submit}</button>
</form>`,
  });
}

/** For whatever isn't a person who opens the link; a person who gets here anyway can go on. */
export function renderLimitedPage({ language, site, target }: GuardPage): string {
  const texts = textsByLanguage[language].limited;
  return renderPage({
    language,
    site,
    tone: "plain",
    sign: "link",
    title: texts.title,
    heading: html`${texts.title}`,
    body: html`<p>${texts.text}</p>
<a class="go" href="${target}" rel="nofollow">${texts.open}</a>`,
  });
}
