import { traceContours } from "#shared/qr-contours.ts";
import { encodeMatrix } from "#shared/qr-matrix.ts";

const QUIET = 4;

/** Drawn in the page: the secret in it goes nowhere else. Dark on light in both themes, as cameras want it. */
export function QrImage({ text, label }: { readonly text: string; readonly label: string }) {
  const matrix = encodeMatrix(text, "M");
  const side = matrix.size + 2 * QUIET;
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`${-QUIET} ${-QUIET} ${side} ${side}`}
      className="mx-auto size-52 rounded-xl border border-line"
    >
      <rect x={-QUIET} y={-QUIET} width={side} height={side} fill="#fff" />
      <path d={traceContours(matrix, false)} fill="#000" fillRule="evenodd" shapeRendering="crispEdges" />
    </svg>
  );
}
