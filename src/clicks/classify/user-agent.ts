import Bowser from "bowser";
import { isbot } from "isbot";
import type { Device } from "#contract/analytics.ts";
import { browserFamilies, osFamilies } from "./families.ts";

export interface Agent {
  readonly isBot: boolean;
  readonly device: Device | "";
  readonly browser: string;
  readonly os: string;
}

// What programs send when they use the HTTP library of Android, Apple or Windows; browsers on them never do.
const PLATFORM_CLIENT = /\bCFNetwork\/|^Dalvik\/|PowerShell\//;
const SCREEN_OR_CONSOLE = /\bTV\b|SmartTV|AppleTV|GoogleTV|BRAVIA|\bAFT[A-Z]|\bCrKey\b|Xbox|PlayStation|Nintendo|Roku/i;
const TABLET = /ipad|tablet(?! pc)|\bsilk\//i;
const TELEPHONE = /mobi|phone|ipod|opera mini|android [12]\./i;
const DESKTOP_OS = new Set(["Windows", "macOS", "Linux", "Chrome OS"]);

const NOBODY: Agent = { isBot: true, device: "", browser: "", os: "" };
const BOT: Agent = { isBot: true, device: "other", browser: "", os: "" };

const TYPICAL = [
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36",
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
  "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Mobile Safari/537.36",
  "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0",
];

/** Has the regular expressions compiled: that takes milliseconds, for which no visitor should wait. */
export function warmUpClassification(): void {
  for (const userAgent of TYPICAL) classifyUserAgent(userAgent);
}

/** Never returns text of the user agent itself: families come out of fixed lists. */
export function classifyUserAgent(userAgent: string): Agent {
  const text = userAgent.trim();
  if (text === "") return NOBODY;
  if (isbot(text) || PLATFORM_CLIENT.test(text)) return BOT;
  const parser = Bowser.getParser(text, true);
  const os = osFamilies.get(parser.getOSName()) ?? "";
  return {
    isBot: false,
    device: deviceOf(text, os),
    browser: browserFamilies.get(parser.getBrowserName()) ?? "",
    os,
  };
}

/** Telephones say "Mobi", tablets on Android leave it out, and those of Apple and Amazon give their name. */
function deviceOf(userAgent: string, os: string): Device {
  if (SCREEN_OR_CONSOLE.test(userAgent)) return "other";
  if (TABLET.test(userAgent)) return "tablet";
  if (TELEPHONE.test(userAgent) || os === "BlackBerry") return "mobile";
  // Firefox on an iPad calls itself a Macintosh and is known by its engine's name only.
  if (os === "Android" || os === "iOS") return "tablet";
  return DESKTOP_OS.has(os) ? "desktop" : "other";
}

/** For people, such as "Firefox on Linux". */
export function describeDevice(userAgent: string): string | null {
  const { browser, os } = classifyUserAgent(userAgent);
  return [browser, os].filter((name) => name !== "").join(" on ") || null;
}
