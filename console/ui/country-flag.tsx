import { countryCodes } from "#contract/visitor-words.ts";

const withFlag: ReadonlySet<string> = new Set(countryCodes);

/** Beside the country's name, which says the same. Codes without a flag, as of a proxy, are shown themselves. */
export const CountryFlag = ({ country }: { readonly country: string }) =>
  withFlag.has(country) ? (
    <img
      src={`${FLAGS_URL}/${country}.svg`}
      alt=""
      loading="lazy"
      width={21}
      height={14}
      // White edges need a line around them on white.
      className="h-3.5 w-5.25 shrink-0 rounded-xs bg-sunken outline -outline-offset-1 outline-text/15"
    />
  ) : (
    <span
      aria-hidden
      data-country-code
      className="w-5.25 shrink-0 overflow-hidden rounded-xs text-center text-[0.625rem] leading-3.5 text-soft outline -outline-offset-1 outline-text/15"
    >
      {country}
    </span>
  );
