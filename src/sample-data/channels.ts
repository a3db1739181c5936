/** How a sample link is shared, which decides where its clicks come from. */
export interface Channel {
  /** Weight among all links. */
  readonly share: number;
  /** The share of its visitors with a phone or a tablet. */
  readonly handhelds: number;
  /** The share of those who scan a QR code. */
  readonly qr: number;
  /** Hosts of the pages that show the link; empty if the browser sends no referrer. */
  readonly referrers: readonly (readonly [host: string, weight: number])[];
  readonly utm: { readonly utm_source?: string; readonly utm_medium?: string };
}

const blogs = Array.from({ length: 200 }, (_, index) => [`blog-${index + 1}.example`, 30 / (index + 1)] as const);

export const channels = {
  social: {
    share: 30,
    handhelds: 0.78,
    qr: 0,
    referrers: [
      ["", 30],
      ["chirp.example", 26],
      ["faces.example", 22],
      ["pictures.example", 12],
      ["careers.example", 6],
      ["videos.example", 4],
    ],
    utm: { utm_source: "social", utm_medium: "post" },
  },
  newsletter: {
    share: 25,
    handhelds: 0.55,
    qr: 0,
    referrers: [
      ["", 68],
      ["mail.example", 22],
      ["webmail.example.net", 10],
    ],
    utm: { utm_source: "newsletter", utm_medium: "email" },
  },
  website: {
    share: 25,
    handhelds: 0.5,
    qr: 0.02,
    referrers: [["", 35], ["search.example", 40], ["news.example.org", 18], ["forum.example.net", 9], ...blogs],
    utm: {},
  },
  advertising: {
    share: 10,
    handhelds: 0.66,
    qr: 0,
    referrers: [
      ["search.example", 60],
      ["ads.example.net", 25],
      ["", 15],
    ],
    utm: { utm_source: "search", utm_medium: "cpc" },
  },
  print: {
    share: 10,
    handhelds: 0.97,
    qr: 0.92,
    referrers: [["", 1]],
    utm: { utm_medium: "print" },
  },
} as const satisfies Readonly<Record<string, Channel>>;

export type ChannelName = keyof typeof channels;
