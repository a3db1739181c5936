import { reportTexts } from "#texts/reports.ts";
import { shadeFills } from "./country-shape.tsx";

const texts = reportTexts.map;

/** What the shades mean, or what is known of the country under the pointer. */
export const MapLegend = ({ words }: { readonly words: string | undefined }) => (
  <p className="mt-2 flex h-6 items-center gap-2 text-xs text-soft" data-map-legend>
    {words ?? (
      <>
        {texts.fewer}
        <svg viewBox="0 0 72 8" className="h-2 w-18 overflow-hidden rounded-full" aria-hidden="true">
          {shadeFills.slice(1).map((fill, index) => (
            <rect key={fill} x={index * 12} width={12} height={8} className={fill} />
          ))}
        </svg>
        {texts.more}
      </>
    )}
  </p>
);
