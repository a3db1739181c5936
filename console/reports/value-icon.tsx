import { Link2, type LucideIcon, Monitor, MonitorSmartphone, QrCode, Smartphone, Tablet } from "lucide-react";
import { CountryFlag } from "#console/ui/country-flag.tsx";
import { tintOf } from "#console/ui/tint.ts";
import type { AccountDimension } from "#contract/analytics.ts";

const deviceIcons: Readonly<Record<string, LucideIcon>> = {
  desktop: Monitor,
  mobile: Smartphone,
  tablet: Tablet,
};
const sourceIcons: Readonly<Record<string, LucideIcon>> = { link: Link2, qr: QrCode };

/** A small picture before a value, where it has one. Nobody else is asked for one, nor learns what a report is about. */
export function ValueIcon({ dimension, value }: { readonly dimension: AccountDimension; readonly value: string }) {
  switch (dimension) {
    case "country":
      return <CountryFlag country={value} />;
    case "device":
      return <Pictogram icon={deviceIcons[value] ?? MonitorSmartphone} />;
    case "source":
      return <Pictogram icon={sourceIcons[value] ?? Link2} />;
    case "browser":
    case "os":
    case "referrer":
      return <LetterTile name={value} />;
    default:
      return null;
  }
}

const Pictogram = ({ icon: Icon }: { readonly icon: LucideIcon }) => (
  <Icon className="size-4 shrink-0 text-soft" aria-hidden />
);

/** Equal names have equal colours, so that they are found again in another list. */
const LetterTile = ({ name }: { readonly name: string }) => (
  <span
    aria-hidden
    // The letter is decoration, and no part of the text that can be copied or searched.
    data-letter={[...name][0]?.toUpperCase()}
    className="tinted flex size-4.5 shrink-0 items-center justify-center rounded text-xs leading-none font-semibold before:content-[attr(data-letter)]"
    style={tintOf(name)}
  />
);
