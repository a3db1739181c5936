import type { Device } from "#contract/analytics.ts";

/** The device of a sample visitor, in combinations that exist, with realistic shares. */
export interface Client {
  readonly device: Device;
  readonly browser: string;
  readonly os: string;
}

type Choice = readonly [client: Client, weight: number];

const choice = (weight: number, device: Client["device"], browser: string, os: string): Choice => [
  { device, browser, os },
  weight,
];

export const handhelds: readonly Choice[] = [
  choice(370, "mobile", "Safari", "iOS"),
  choice(330, "mobile", "Chrome", "Android"),
  choice(75, "mobile", "Samsung Internet", "Android"),
  choice(70, "mobile", "Chrome", "iOS"),
  choice(30, "mobile", "Firefox", "Android"),
  choice(25, "mobile", "Google App", "iOS"),
  choice(20, "mobile", "Opera", "Android"),
  choice(15, "mobile", "DuckDuckGo", "iOS"),
  choice(45, "tablet", "Safari", "iOS"),
  choice(20, "tablet", "Chrome", "Android"),
];

export const desktops: readonly Choice[] = [
  choice(440, "desktop", "Chrome", "Windows"),
  choice(140, "desktop", "Edge", "Windows"),
  choice(135, "desktop", "Safari", "macOS"),
  choice(110, "desktop", "Chrome", "macOS"),
  choice(70, "desktop", "Firefox", "Windows"),
  choice(35, "desktop", "Firefox", "Linux"),
  choice(25, "desktop", "Chrome", "Linux"),
  choice(20, "desktop", "Firefox", "macOS"),
  choice(15, "desktop", "Opera", "Windows"),
  choice(10, "desktop", "Chrome", "Chrome OS"),
];

/** Crawlers send no browser name; a prefetch comes from a real browser, whether or not anyone sees the page. */
export const bots: readonly Choice[] = [
  choice(85, "other", "", ""),
  choice(9, "mobile", "Chrome", "Android"),
  choice(6, "desktop", "Chrome", "Windows"),
];
