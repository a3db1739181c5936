/** What a link of the demo leads to. */
export interface DemoPage {
  readonly slug: string;
  readonly title: string;
  /** The path of its address. */
  readonly path: string;
  readonly tag: string;
}

interface Format {
  readonly slugOf: (slug: string) => string;
  readonly titleOf: (name: string) => string;
  readonly folder: string;
  readonly tag: string;
}

const suffix = (word: string) => (slug: string) => `${slug}-${word}`;
const lower = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);

/** Every subject in every format, both of them changing from page to page. */
function combine(subjects: readonly (readonly [name: string, slug: string])[], formats: readonly Format[]): DemoPage[] {
  const period = leastCommonMultiple(subjects.length, formats.length);
  return Array.from({ length: subjects.length * formats.length }, (_, index) => {
    const [name = "", slug = ""] = subjects[index % subjects.length] ?? [];
    // Where both would start over together, one of them is moved on.
    const format = formats[(index + Math.floor(index / period)) % formats.length];
    if (!format) throw new Error("there are no formats");
    const { slugOf, titleOf, folder, tag } = format;
    return { slug: slugOf(slug), title: titleOf(name), path: `${folder}/${slug}`, tag };
  });
}

function leastCommonMultiple(a: number, b: number): number {
  let multiple = a;
  while (multiple % b !== 0) multiple += a;
  return multiple;
}

/** A shop for gardeners. */
export const meadowPages: readonly DemoPage[] = combine(
  [
    ["Raised beds", "raised-beds"],
    ["Tomatoes", "tomatoes"],
    ["Wildflowers", "wildflowers"],
    ["Bee hotels", "bee-hotels"],
    ["Balcony gardens", "balcony"],
    ["Roses", "roses"],
    ["Rain barrels", "rain-barrels"],
    ["Composting", "compost"],
    ["House plants", "house-plants"],
    ["Greenhouses", "greenhouse"],
    ["Apple trees", "apple-trees"],
    ["Bird feeders", "bird-feeders"],
    ["Herbs", "herbs"],
    ["Tulip bulbs", "tulips"],
    ["Hammocks", "hammocks"],
    ["Lanterns", "lanterns"],
    ["Pruning", "pruning"],
    ["Garden tools", "tools"],
  ],
  [
    { slugOf: suffix("sale"), titleOf: (name) => `${name}: 20% off this week`, folder: "shop", tag: "sale" },
    { slugOf: suffix("guide"), titleOf: (name) => `${name}: a beginner's guide`, folder: "guides", tag: "guides" },
    { slugOf: (slug) => `new-${slug}`, titleOf: (name) => `New in: ${lower(name)}`, folder: "new", tag: "launch" },
    { slugOf: suffix("video"), titleOf: (name) => `${name} in five minutes`, folder: "videos", tag: "video" },
    { slugOf: suffix("workshop"), titleOf: (name) => `Workshop: ${lower(name)}`, folder: "events", tag: "events" },
    { slugOf: suffix("kit"), titleOf: (name) => `${name}: the starter kit`, folder: "kits", tag: "sale" },
    { slugOf: suffix("gifts"), titleOf: (name) => `Gift ideas: ${lower(name)}`, folder: "gifts", tag: "gifts" },
    { slugOf: suffix("checklist"), titleOf: (name) => `${name}: the checklist`, folder: "print", tag: "guides" },
    { slugOf: suffix("faq"), titleOf: (name) => `${name}: your questions`, folder: "help", tag: "help" },
    { slugOf: suffix("stories"), titleOf: (name) => `Your stories: ${lower(name)}`, folder: "blog", tag: "blog" },
  ],
);

/** A publisher of novels. */
export const lighthousePages: readonly DemoPage[] = combine(
  [
    ["Night Ferry", "night-ferry"],
    ["The Quiet Harbour", "quiet-harbour"],
    ["Salt and Paper", "salt-and-paper"],
    ["A Map of Small Islands", "small-islands"],
    ["The Lamp Keeper", "lamp-keeper"],
    ["Winter Letters", "winter-letters"],
    ["Tidewater", "tidewater"],
    ["The Slow Cartographer", "slow-cartographer"],
    ["Blue Hour", "blue-hour"],
    ["The Orchard Year", "orchard-year"],
    ["Paper Boats", "paper-boats"],
    ["A House by the Dunes", "house-by-the-dunes"],
    ["Silver Birches", "silver-birches"],
    ["The Glassblower", "glassblower"],
    ["Driftwood", "driftwood"],
    ["The Seventh Tide", "seventh-tide"],
    ["Small Hours", "small-hours"],
    ["Stone and Feather", "stone-and-feather"],
    ["The Long Pier", "long-pier"],
    ["Northern Weather", "northern-weather"],
  ],
  [
    { slugOf: suffix("preorder"), titleOf: (name) => `Pre-order: ${name}`, folder: "books", tag: "launch" },
    { slugOf: suffix("excerpt"), titleOf: (name) => `${name}: the first chapter`, folder: "excerpts", tag: "reading" },
    { slugOf: suffix("audio"), titleOf: (name) => `${name}, the audiobook`, folder: "audio", tag: "audio" },
    { slugOf: suffix("tour"), titleOf: (name) => `Meet the author: ${name}`, folder: "events", tag: "events" },
    { slugOf: suffix("club"), titleOf: (name) => `Book club: ${name}`, folder: "clubs", tag: "reading" },
    { slugOf: suffix("press"), titleOf: (name) => `Press kit: ${name}`, folder: "press", tag: "press" },
  ],
);

/** A festival by the sea. */
export const harbourPages: readonly DemoPage[] = (
  [
    ["tickets", "Tickets", "tickets"],
    ["lineup", "The line-up", "music"],
    ["early-bird", "Early-bird tickets", "tickets"],
    ["map", "Map of the grounds", "on-site"],
    ["playlist", "The playlist", "music"],
    ["camping", "Camping by the water", "on-site"],
    ["volunteers", "Become a volunteer", "team"],
    ["shuttle", "Shuttle buses", "travel"],
    ["ferry", "Arrive by ferry", "travel"],
    ["food", "Food and drink", "on-site"],
    ["kids", "The children's stage", "music"],
    ["access", "Accessibility", "on-site"],
    ["poster", "The poster", "press"],
    ["merch", "T-shirts and tote bags", "shop"],
    ["photos", "Photos from last year", "press"],
    ["aftermovie", "The aftermovie", "press"],
    ["workshops", "Workshops on the pier", "music"],
    ["survey", "How was it?", "team"],
    ["sponsors", "Our partners", "team"],
    ["newsletter", "The newsletter", "team"],
  ] as const
).map(([name, title, tag]) => ({ slug: `harbour-${name}`, title, path: `festival/${name}`, tag }));
