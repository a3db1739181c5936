import { expect, test } from "bun:test";
import { classifyUserAgent } from "#clicks/classify/user-agent.ts";
import { userAgentCorpus } from "#clicks/classify/user-agents.corpus.ts";
import { isPreviewBot } from "./preview-bots.ts";

/** Crawlers and monitors want the destination, as people do. */
const OTHERS = /Googlebot|bingbot|UptimeRobot|GPTBot|curl|Lighthouse/;

const agents = userAgentCorpus.split("\n").filter((line) => line !== "" && !line.startsWith("# "));

test.each([
  "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
  "WhatsApp/2.23.20.0 A",
  "TelegramBot (like TwitterBot)",
  "Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)",
  "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
  "Twitterbot/1.0",
  "LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)",
  "http.rb/5.1.1 (Mastodon/4.2.10; +https://mastodon.social/)",
  "Mozilla/5.0 (compatible; Bluesky Cardyb/1.1; +mailto:support@bsky.app)",
  "Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5 skype-url-preview@microsoft.com",
  "Mozilla/5.0 (compatible; MicrosoftPreview/2.0; +https://aka.ms/MicrosoftPreview) Chrome/100.0.4896.127 Safari/537.36",
  "facebookexternalhit/1.1; kakaotalk-scrap/1.0; +https://devtalk.kakao.com/t/scrap/33984",
  "Synapse (bot; +https://github.com/matrix-org/synapse)",
  "Snap URL Preview Service; bot; snapchat; https://developers.snap.com/robots",
  "Lemmy/0.19.5; +https://lemmy.world",
])("%s shows cards", (userAgent) => {
  expect(isPreviewBot(userAgent)).toBe(true);
});

test("whoever shows cards counts as a bot, so no person ever sees one", () => {
  expect(agents.filter((agent) => isPreviewBot(agent) && !classifyUserAgent(agent).isBot)).toEqual([]);
  expect(agents.filter((agent) => isPreviewBot(agent)).length).toBeGreaterThanOrEqual(25);
});

test("crawlers, monitors and programs without a name are redirected", () => {
  expect(agents.filter((agent) => OTHERS.test(agent) && isPreviewBot(agent))).toEqual([]);
  expect(isPreviewBot(null)).toBe(false);
});
