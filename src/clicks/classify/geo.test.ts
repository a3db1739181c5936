import { describe, expect, test } from "bun:test";
import { mmdbFile } from "./fixtures/mmdb-file.ts";
import { countryCodeOf, openBundledGeo, openGeo } from "./geo.ts";

const placeOf = (country: string, region: string, city: string) => ({
  country,
  texts: `${country}\t${region}\t${city}`,
});
const NOWHERE = placeOf("", "", "");

const geoOf = (record: Parameters<typeof mmdbFile>[0]) => openGeo(mmdbFile(record));

describe("the bundled database", () => {
  const geo = openBundledGeo();

  test("knows the country of IPv4 and IPv6 addresses, and nothing finer", () => {
    expect(geo.find("193.0.6.139")).toEqual(placeOf("NL", "", ""));
    expect(geo.find("2001:67c:2e8:22::c100:68b")).toEqual(placeOf("NL", "", ""));
  });

  test("says nothing about private, reserved and unreadable addresses", () => {
    for (const address of [
      "127.0.0.1",
      "10.1.2.3",
      "::1",
      "fe80::1",
      "",
      "unknown",
      "999.1.1.1",
      "1.2.3",
      "::ffff:x",
    ]) {
      expect([address, geo.find(address)]).toEqual([address, NOWHERE]);
    }
  });
});

describe("the operator's database", () => {
  test("gives region and city in the layout of MaxMind and DB-IP", () => {
    const record = {
      country: { iso_code: "US", names: { en: "United States" } },
      subdivisions: [{ iso_code: "CA", names: { en: "California" } }],
      city: { names: { de: "San Franzisko", en: "San Francisco" } },
    };
    expect(geoOf(record).find("1.2.3.4")).toEqual(placeOf("US", "US-CA", "San Francisco"));
  });

  test("gives region and city in flat layouts", () => {
    expect(geoOf({ country_code: "DE", state1: "Bayern", city: "München" }).find("1.2.3.4")).toEqual(
      placeOf("DE", "Bayern", "München"),
    );
    expect(geoOf({ country: "fr", region: "Bretagne", city: "Brest" }).find("1.2.3.4")).toEqual(
      placeOf("FR", "Bretagne", "Brest"),
    );
  });

  test("cannot put anything into a line but clean text", () => {
    const hostile = { country: "D\t", subdivisions: [{ names: { en: "a\tb\nc" } }], city: "x".repeat(400) };
    expect(geoOf(hostile).find("1.2.3.4")).toEqual(placeOf("", "abc", "x".repeat(255)));
    for (const odd of ["text", ["a"], { country: ["x"], city: { names: "x" }, subdivisions: "x", region: ["y"] }]) {
      expect(geoOf(odd).find("1.2.3.4")).toEqual(NOWHERE);
    }
  });

  test("of IPv4 addresses says nothing about IPv6 ones", () => {
    expect(geoOf({ country: "DE" }).find("2001:67c:2e8:22::c100:68b")).toEqual(NOWHERE);
  });

  test("is refused unless it is complete", () => {
    const whole = mmdbFile({ country: "DE" });
    for (const length of [0, 1, 20, whole.length / 2, whole.length - 40]) {
      expect(() => openGeo(whole.subarray(0, length))).toThrow("not a complete MaxMind database");
    }
    // The end of one alone, and content without any mark, which is not searched beyond its end.
    expect(() => openGeo(whole.subarray(20))).toThrow("not a complete MaxMind database");
    expect(() => openGeo(Buffer.alloc(64 << 20))).toThrow("not a complete MaxMind database");
  });
});

test("a country code has two letters; those for unknown countries are none", () => {
  expect(["DE", "de", "XX", "xx", "T1", "ZZ", "D", "DEU", "", "D\t", "ÄÖ", 7, null].map(countryCodeOf)).toEqual([
    "DE",
    "DE",
    ...Array(11).fill(""),
  ]);
});
