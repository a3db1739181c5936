import { writeFileSync } from "node:fs";
import { extname } from "node:path";
import { command } from "../command.ts";
import { CommandError, UsageError } from "../exit-codes.ts";
import { findLink } from "../find-link.ts";
import { drawQr, qrColumns, qrMatrix } from "../qr-text.ts";
import { LINK, numberOf } from "./link-options.ts";

const formats = ["png", "svg"] as const;
type Format = (typeof formats)[number];

interface Drawn {
  readonly short_url: string;
  readonly encoded: string;
  readonly is_inverted: boolean;
}

interface Saved {
  readonly short_url: string;
  readonly encoded: string;
  readonly file: string;
  readonly bytes: number;
}

const qr = command<Drawn | Saved>({
  name: "qr",
  summary: "Show a link's QR code in the terminal, or save it",
  notes:
    "In colour it scans on any background. Without colours, it is for a dark background; --invert for a light one.",
  positionals: [LINK],
  options: {
    out: { value: "FILE", help: "Save it as .png or .svg instead.", completes: "files" },
    size: { value: "PIXELS", help: "Width and height of the saved image." },
    mark: { help: "Add ?qr=1, so that reports can tell scans from clicks." },
    invert: { help: "Without colours: for a light background." },
  },
  async run(context, input) {
    const kurz = context.kurz();
    const [file, size, mark] = [input.text("out"), numberOf(input, "size"), input.flag("mark")];
    const format = file === undefined ? undefined : formatOf(file);
    if (file === undefined && size !== undefined) throw new UsageError("--size is only for --out");
    const { id, short_url } = await findLink(kurz, input.positionals[0] ?? "");
    const encoded = mark ? `${short_url}?qr=1` : short_url;
    if (file === undefined) return { short_url, encoded, is_inverted: input.flag("invert") };
    const bytes = await kurz.links.qr(id, { format, mark, ...(size !== undefined && { size }) });
    writeFileSync(file, bytes);
    return { short_url, encoded, file, bytes: bytes.length };
  },
  print(result, view) {
    if ("file" in result) return `${result.file}: ${result.bytes.toLocaleString("en-US")} bytes`;
    const matrix = qrMatrix(result.encoded);
    const columns = qrColumns(matrix, view);
    if (view.columns !== null && view.columns < columns) {
      throw new CommandError(`the code needs ${columns} columns, the terminal has ${view.columns}; use --out FILE`);
    }
    return `${drawQr(matrix, { ...view, isInverted: result.is_inverted })}\n${result.encoded}`;
  },
});

function formatOf(file: string): Format {
  const ending = extname(file).slice(1).toLowerCase();
  const format = formats.find((one) => one === ending);
  if (!format) throw new UsageError(`--out must end with .png or .svg: ${JSON.stringify(file)}`);
  return format;
}

export const qrCommands = [qr];
