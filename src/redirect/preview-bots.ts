/**
 * Programs that show a card for a link someone shared, by the names they give themselves. Browsers within the same apps
 * have other names: people are redirected there, too.
 */
const PREVIEW_BOTS = new RegExp(
  [
    "^WhatsApp/",
    "Bluesky Cardyb",
    "Discordbot",
    "Discourse Forum Onebox",
    "Embedly",
    "Facebot",
    "facebookexternalhit",
    "Iframely",
    "^Lemmy/",
    "LinkedInBot",
    "Mastodon/",
    "meta-externalfetcher",
    "MicrosoftPreview",
    "NotionEmbedder",
    "Pinterestbot",
    "redditbot",
    "SkypeUriPreview",
    "Slack-ImgProxy",
    "Slackbot",
    "Snap URL Preview Service",
    "SummalyBot",
    "Synapse \\(bot",
    "TelegramBot",
    "Twitterbot",
    "vkShare",
  ].join("|"),
  "i",
);

export const isPreviewBot = (userAgent: string | null): boolean => userAgent !== null && PREVIEW_BOTS.test(userAgent);
