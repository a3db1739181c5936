import { escapeHtml } from "#shared/escape-html.ts";
import type { Navigation, Section } from "./navigation.ts";

/** The content of the first page: what there is for each kind of reader. */
export function renderStart({ title, introduction, sections }: Navigation): string {
  return `<h1>${escapeHtml(title)}</h1>
<p class="lead">${escapeHtml(introduction)}</p>
${sections.map(renderSection).join("\n")}`;
}

function renderSection({ title, introduction, entries }: Section): string {
  const cards = entries.map(
    ({ title: name, path, description }) =>
      `<li><a href="${path}"><strong>${escapeHtml(name)}</strong><span>${escapeHtml(description)}</span></a></li>`,
  );
  return `<section>
<h2>${escapeHtml(title)}</h2>
<p>${escapeHtml(introduction)}</p>
<ul class="cards">
${cards.join("\n")}
</ul>
</section>`;
}
