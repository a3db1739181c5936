/** Where sample visitors live, with their languages. */
export interface Country {
  readonly code: string;
  /** Visitors per thousand. */
  readonly share: number;
  /** In hours. */
  readonly utcOffset: number;
  readonly languages: readonly (readonly [code: string, weight: number])[];
}

const country = (code: string, share: number, utcOffset: number, ...languages: Country["languages"]): Country => ({
  code,
  share,
  utcOffset,
  languages,
});

export const countries: readonly Country[] = [
  country("US", 270, -6, ["en", 88], ["es", 12]),
  country("DE", 150, 1, ["de", 86], ["en", 11], ["tr", 3]),
  country("GB", 95, 0, ["en", 97], ["pl", 3]),
  country("FR", 70, 1, ["fr", 93], ["en", 7]),
  country("IN", 65, 5, ["en", 70], ["hi", 30]),
  country("BR", 50, -3, ["pt", 97], ["en", 3]),
  country("CA", 40, -5, ["en", 76], ["fr", 24]),
  country("ES", 35, 1, ["es", 86], ["ca", 10], ["en", 4]),
  country("IT", 34, 1, ["it", 96], ["en", 4]),
  country("NL", 30, 1, ["nl", 80], ["en", 20]),
  country("JP", 26, 9, ["ja", 98], ["en", 2]),
  country("AU", 24, 10, ["en", 100]),
  country("PL", 22, 1, ["pl", 95], ["en", 5]),
  country("CH", 18, 1, ["de", 64], ["fr", 24], ["it", 8], ["en", 4]),
  country("AT", 17, 1, ["de", 95], ["en", 5]),
  country("SE", 14, 1, ["sv", 85], ["en", 15]),
  country("MX", 13, -6, ["es", 97], ["en", 3]),
  country("BE", 8, 1, ["nl", 58], ["fr", 39], ["de", 3]),
  country("TR", 7, 3, ["tr", 98], ["en", 2]),
  country("KR", 6, 9, ["ko", 98], ["en", 2]),
  country("ZA", 4, 2, ["en", 90], ["zu", 10]),
  // An address that is in no geo database.
  country("", 2, 0, ["en", 60], ["", 40]),
];
