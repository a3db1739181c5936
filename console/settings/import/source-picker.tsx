import { FileSpreadsheet, Link2, Server } from "lucide-react";
import { Section } from "#console/ui/section.tsx";
import { tintOf } from "#console/ui/tint.ts";
import { demoTexts } from "#texts/demo.ts";
import { importTexts as texts } from "#texts/imports.ts";
import { hintOf, type Source, titleOf } from "./sources.ts";

interface SourcePickerProps {
  readonly sources: readonly Source[];
  /** Where nothing can be imported. */
  readonly isDemo: boolean;
  readonly onChoose: (name: string) => void;
}

/** Where the links are now. */
export const SourcePicker = ({ sources, isDemo, onChoose }: SourcePickerProps) => (
  <Section title={texts.title} note={isDemo ? demoTexts.noImports : texts.note}>
    <ul className="grid gap-3 sm:grid-cols-2 xl:grid-cols-3" aria-label={texts.sourceList}>
      {sources.map((source) => (
        <li key={source.name}>
          <button
            type="button"
            disabled={isDemo}
            onClick={() => onChoose(source.name)}
            className="flex h-full w-full items-start gap-3 rounded-xl border border-line-strong p-4 text-left shadow-card transition-colors enabled:hover:border-accent enabled:hover:bg-hover"
          >
            <SourceTile source={source} />
            <span className="min-w-0">
              <span className="block font-medium">{titleOf(source)}</span>
              <span className="block text-sm text-soft">{hintOf(source)}</span>
            </span>
          </button>
        </li>
      ))}
    </ul>
  </Section>
);

const icons = { csv: FileSpreadsheet, kurz: Link2 } as const;

export function SourceTile({ source: { name, title } }: { readonly source: Pick<Source, "name" | "title"> }) {
  const Icon = icons[name as keyof typeof icons];
  return (
    <span
      aria-hidden
      style={tintOf(name)}
      className="tinted flex size-9 shrink-0 items-center justify-center rounded-lg font-semibold"
    >
      {Icon ? <Icon className="size-5" /> : title ? title.charAt(0) : <Server className="size-5" />}
    </span>
  );
}
