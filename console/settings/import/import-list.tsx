import { Badge } from "#console/ui/panel.tsx";
import { Section } from "#console/ui/section.tsx";
import { When } from "#console/ui/when.tsx";
import type { Import } from "#contract/console/imports.ts";
import { importTexts as texts } from "#texts/imports.ts";
import { toneOf } from "./import-state.ts";
import { SourceTile } from "./source-picker.tsx";
import { type Source, titleOf } from "./sources.ts";

interface ImportListProps {
  readonly imports: readonly Import[];
  readonly sources: readonly Source[];
  readonly onOpen: (id: string) => void;
}

/** What was imported before, newest first. */
export const ImportList = ({ imports, sources, onOpen }: ImportListProps) => (
  <Section title={texts.history} flush>
    <ul aria-label={texts.history}>
      {imports.map(({ id, source, state, links, options, created_at }) => {
        const title = titleOf(sources.find(({ name }) => name === source) ?? { name: source, title: source });
        return (
          <li key={id} className="border-line not-first:border-t">
            <button
              type="button"
              onClick={() => onOpen(id)}
              className="flex w-full flex-wrap items-center gap-x-4 gap-y-2 px-5 py-3 text-left hover:bg-hover sm:px-6"
            >
              <SourceTile source={{ name: source, title }} />
              <span className="min-w-0 flex-1 basis-40">
                <span className="block truncate font-medium">{options.file_name ?? title}</span>
                <span className="block text-sm text-soft">
                  {texts.createdLinks(links.created)} · <When instant={created_at} />
                </span>
              </span>
              <Badge tone={toneOf(state)}>{texts.states[state]}</Badge>
            </button>
          </li>
        );
      })}
    </ul>
  </Section>
);
