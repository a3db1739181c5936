import { type Definition, defineTexts } from "#clicks/journal/definitions.ts";
import { type Click, flagsOf, type GroupName, textGroups } from "#engines/clicks/click-format.ts";
import { GenerationMap } from "#kernel/generation-map.ts";
import { cleanText } from "./clean-text.ts";

/** A click as the journal takes it. */
export interface JournalClick {
  readonly line: string;
  /** The texts that the line refers to. */
  readonly uses: readonly Definition[];
}

/** Finds the number of some texts, separated by tabs, or gives them the next one. */
export type FindShape = (texts: string) => Definition;

export type ClickShapes = { readonly [N in GroupName]: FindShape };

// Anyone can send ever new texts. What isn't used for long is forgotten, and gets another number if it comes back.
const SHAPES_MAX = 16_384;

/** The text groups that one process has met. Numbers are never reused, so they mean the same in all of its segments. */
export function openClickShapes(): ClickShapes {
  let nextNo = 0;
  const finders = textGroups.map(({ name }): [GroupName, FindShape] => {
    const known = new GenerationMap<Definition>({ weightMax: SHAPES_MAX });
    const define = (texts: string): Definition => {
      const no = nextNo;
      nextNo += 1;
      const shape = defineTexts(no, texts);
      known.set(texts, shape);
      return shape;
    };
    return [name, (texts) => known.get(texts) ?? define(texts)];
  });
  return Object.fromEntries(finders) as ClickShapes;
}

/** Any click as a line, however hostile its texts. */
export function encodeClick(click: Click, shapes: ClickShapes): JournalClick {
  const uses = textGroups.map(({ name, texts }) =>
    shapes[name](texts.map((text) => cleanText(click[text.name])).join("\t")),
  );
  const own = [click.at_ms, click.account_no, click.link_no, flagsOf(click), click.visitor];
  return { line: `${[...own, ...uses.map(({ no }) => no)].join("\t")}\n`, uses };
}
