import type { ConsoleLanguage } from "#shared/console-languages.ts";

interface Saying {
  readonly title: string;
  readonly text: string;
}

type Sayings = Readonly<Record<"gone" | "tooMany" | "preparing", Saying>>;

/** What visitors of a shared report get instead of it. */
export const shareTexts: Readonly<Record<ConsoleLanguage, Sayings>> = {
  en: {
    gone: {
      title: "This report isn’t available",
      text: "It was revoked, has expired or never existed. Ask the person who sent you the address for a new one.",
    },
    tooMany: { title: "One moment, please", text: "Too many requests came from your network. Try again in a minute." },
    preparing: { title: "Back in a moment", text: "Reports are being prepared. Try again shortly." },
  },
  de: {
    gone: {
      title: "Diesen Bericht gibt es nicht",
      text: "Er wurde widerrufen, ist abgelaufen oder hat nie existiert. Bitten Sie die Person, von der Sie die Adresse haben, um eine neue.",
    },
    tooMany: {
      title: "Einen Moment bitte",
      text: "Aus Ihrem Netzwerk kamen zu viele Anfragen. Versuchen Sie es in einer Minute noch einmal.",
    },
    preparing: {
      title: "Gleich wieder da",
      text: "Die Berichte werden vorbereitet. Versuchen Sie es gleich noch einmal.",
    },
  },
};
