import type { ObstacleCode } from "#contract/resolve.ts";

/** The rules of a link, in its dialog. */
export const ruleTexts = {
  list: "Rules",
  none: "Send some visitors elsewhere, for example by country or device, or split them for a test.",
  order: "The first rule that matches decides. Everyone else goes to the link’s destination.",
  add: "Add rule",
  moved: (place: number, of: number) => `Rule moved to position ${place} of ${of}.`,
  deleted: (rule: number) => `Deleted rule ${rule}.`,
  unreachable: (rule: number) =>
    `Rule ${rule} has no conditions, so the rules below it never apply. Move it to the end or add a condition.`,

  card: {
    /** Before the sentence that the rule is, for those who hear it. */
    before: (rule: number) => `Rule ${rule}: `,
    up: (rule: number) => `Move rule ${rule} up`,
    down: (rule: number) => `Move rule ${rule} down`,
    delete: (rule: number) => `Delete rule ${rule}`,
    conditions: "Conditions",
    addCondition: "Add condition",
    name: "Name in reports",
    optional: "optional",
    if: "If",
    and: "and",
  },

  /**
   * `label` is in the menu and beside its values, `is` and `isNot` are in a list before them. In a sentence the value
   * stands where the language wants it.
   */
  conditions: {
    country: {
      label: "Country",
      is: "the country is",
      isNot: "the country isn’t",
      holds: "the country is {value}",
      fails: "the country isn’t {value}",
    },
    language: {
      label: "Language",
      is: "the language is",
      isNot: "the language isn’t",
      holds: "the language is {value}",
      fails: "the language isn’t {value}",
      hint: "The browser’s first choice. German includes Austrian German.",
    },
    device: {
      label: "Device",
      is: "the device is",
      isNot: "the device isn’t",
      holds: "the device is {value}",
      fails: "the device isn’t {value}",
      hint: "For iPhones, use the operating system iOS.",
    },
    os: {
      label: "Operating system",
      is: "the system is",
      isNot: "the system isn’t",
      holds: "the system is {value}",
      fails: "the system isn’t {value}",
    },
    browser: {
      label: "Browser",
      is: "the browser is",
      isNot: "the browser isn’t",
      holds: "the browser is {value}",
      fails: "the browser isn’t {value}",
    },
    referrer: {
      label: "Referrer",
      is: "they come from",
      isNot: "they don’t come from",
      holds: "they come from {value}",
      fails: "they don’t come from {value}",
      hint: "The site with the link. example.com includes news.example.com.",
    },
    source: {
      label: "Via",
      is: "they come via",
      isNot: "they don’t come via",
      holds: "they come via {value}",
      fails: "they don’t come via {value}",
    },
    query: {
      label: "Query parameter",
      is: "the query has",
      isNot: "the query doesn’t have",
      holds: "the query has {value}",
      fails: "the query doesn’t have {value}",
      hint: "What follows the ? of the short link, such as ?ref=app.",
    },
    time: { label: "Time", is: "it’s", isNot: "it isn’t", holds: "it’s {value}", fails: "it isn’t {value}" },
  },
  isOrIsNot: (label: string) => `${label}: is or is not`,
  removeCondition: (label: string) => `Remove condition: ${label}`,
  search: "Type to search",
  query: {
    name: "Parameter name",
    value: "Parameter value",
    any: "with any value",
    one: "with the value",
    exact: "Exact value",
  },
  time: {
    kind: "Kind of time",
    weekly: "within weekly hours",
    range: "within a period",
    days: "Days",
    from: "From",
    until: "Until",
    zone: "Time zone",
  },

  /** A rule in words. */
  sentence: {
    both: "{first} and {second}",
    go: "If {conditions}, go to {address}",
    everyone: "Everyone goes to {address}",
    split: "If {conditions}, send {ways}",
    splitEveryone: "Send {ways}",
    way: "{share} to {address}",
    devices: { desktop: "desktop", mobile: "mobile", tablet: "tablet", other: "other" },
    sources: { link: "a link", qr: "a QR code" },
    others: (count: number) => `${count} others`,
    anyDay: "any day",
    /** Days and hours, in a city. */
    weekly: (days: string, city: string) => `${days} in ${city}`,
    weeklyHours: (days: string, from: string, to: string, city: string) => `${days} ${from}–${to} in ${city}`,
    after: (instant: string) => `after ${instant}`,
    before: (instant: string) => `before ${instant}`,
    between: (start: string, end: string) => `after ${start} and before ${end}`,
  },

  ways: {
    everyone: "Everyone goes to",
    go: "go to",
    split: "split visitors between",
    note: "Each visitor keeps their destination for the day, without a cookie. Reports show the names.",
    startSplit: "Split between destinations",
    add: "Add destination",
    only: "Rule destination",
    destination: (number: number) => `Destination ${number}`,
    name: (number: number) => `Name of destination ${number}`,
    weight: (number: number) => `Weight of destination ${number}`,
    share: "Share of visitors",
    remove: (number: number) => `Remove destination ${number}`,
  },

  problems: {
    nameTwice: (name: string) => `“${name}” is used twice.`,
    parameterTwice: "This parameter is used twice.",
    weight: (max: number) => `Must be from 1 to ${max}.`,
    parameterName: "Enter the parameter’s name.",
    noValue: "Choose at least one.",
    timeZone: "There is no such time zone.",
    noTime: "Choose a start, an end or both.",
    backwards: "The end must be after the start.",
    hostName: (text: string) => `“${text}” isn’t a host name, such as example.com.`,
  },
  /** What is wrong with a text that is none of the choices. */
  leftovers: {
    country: {
      plural: "countries",
      none: (text: string) => `No country matches “${text}”.`,
      several: (text: string) => `Several countries match “${text}”. Select one.`,
    },
    language: {
      plural: "languages",
      none: (text: string) => `No language matches “${text}”.`,
      several: (text: string) => `Several languages match “${text}”. Select one.`,
    },
    device: {
      plural: "devices",
      none: (text: string) => `No device matches “${text}”.`,
      several: (text: string) => `Several devices match “${text}”. Select one.`,
    },
    os: {
      plural: "systems",
      none: (text: string) => `No system matches “${text}”.`,
      several: (text: string) => `Several systems match “${text}”. Select one.`,
    },
    browser: {
      plural: "browsers",
      none: (text: string) => `No browser matches “${text}”.`,
      several: (text: string) => `Several browsers match “${text}”. Select one.`,
    },
    referrer: {
      plural: "host names",
      none: (text: string) => `No host name matches “${text}”.`,
      several: (text: string) => `Several host names match “${text}”. Select one.`,
    },
    source: {
      plural: "sources",
      none: (text: string) => `No source matches “${text}”.`,
      several: (text: string) => `Several sources match “${text}”. Select one.`,
    },
  },

  /** Where a visitor would go. */
  dryRun: {
    title: "Try a visitor",
    note: "Describe someone who opens the link. Nothing is counted or saved.",
    result: "Result",
    noDestination: "Enter the link’s destination to see where this visitor goes.",
    incomplete: "Complete the rules to see where this visitor goes.",
    unclear: "Fix the visitor’s details to see where they’d go.",
    trying: "Trying…",
    problem: (rule: number, message: string) => `Rule ${rule}: ${message}`,
    /** The server's words are English. */
    obstacle: (_code: ObstacleCode, message: string): string => message,
    instead: (address: string) => `They go to ${address} instead.`,
    noRule: "No rule matches: the link’s destination",
    rule: (number: number) => `Rule ${number}`,
    namedRule: (number: number, name: string) => `Rule ${number} “${name}”`,
    decides: (rule: string) => `${rule} decides`,
    why: "Why",
    matches: (rule: string) => `${rule} matches.`,
    comesLate: (rule: string, first: number) => `${rule} also matches, but rule ${first} comes first.`,
    fails: (rule: string, reasons: string) => `${rule} doesn’t match, since ${reasons}.`,
  },
  visitor: {
    more: "More about the visitor",
    less: "Less about the visitor",
    unknown: "Unknown",
    link: "Link",
    referrer: "Referrer",
    query: "Query",
    path: "Path after the slug",
    time: "Time",
    nowIfEmpty: "Now, if left empty.",
    zone: (zone: string) => `Your time zone: ${zone}.`,
  },
};
