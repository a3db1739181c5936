import type { Account } from "#contract/console/account.ts";
import { builtInLogos, type QrDesign, type QrQuery } from "#contract/qr.ts";
import type { qrTexts } from "#texts/qr.ts";

export const qrStyles = ["square", "rounded", "dots"] as const;
export const qrSizes = [256, 512, 1024, 2048] as const;
export const qrLogos = ["none", "account", ...builtInLogos] as const;

export type QrOptions = Readonly<Pick<QrQuery, "style" | "color" | "background" | "size" | "mark" | "logo">>;

export const plainDesign: QrDesign = { style: "square", color: "000000", background: "ffffff", logo: "none" };

/** Colors and shapes that go well together, for anyone who has none of their own. */
export const qrPresets: readonly (Omit<QrDesign, "logo"> & { readonly name: keyof typeof qrTexts.presetNames })[] = [
  { name: "classic", style: "square", color: "000000", background: "ffffff" },
  { name: "ink", style: "rounded", color: "1e1b4b", background: "ffffff" },
  { name: "ocean", style: "dots", color: "0c4a6e", background: "f0f9ff" },
  { name: "forest", style: "rounded", color: "14532d", background: "f0fdf4" },
  { name: "berry", style: "dots", color: "831843", background: "fff1f2" },
  { name: "coffee", style: "square", color: "451a03", background: "fef3c7" },
];

/** What a new code begins with: the account's design, and scans tracked separately. */
export function startOptions({ qr_design, has_logo }: Pick<Account, "qr_design" | "has_logo">): QrOptions {
  const design = qr_design ?? plainDesign;
  const logo = design.logo === "account" && !has_logo ? "none" : design.logo;
  return { ...design, logo, size: 1024, mark: true };
}

/** Until the account is known. */
export const plainStart = startOptions({ qr_design: null, has_logo: false });

export const designOf = ({ style, color, background, logo }: QrOptions): QrDesign => ({
  style,
  color,
  background,
  logo,
});

export const isSameDesign = (one: QrDesign, other: QrDesign): boolean =>
  one.style === other.style &&
  one.color === other.color &&
  one.background === other.background &&
  one.logo === other.logo;
