const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const COMMENT = /^# (HELP|TYPE) (\S+) (.+)$/;
const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\\\|\\"|\\n)*)"(?:,|$)/y;
const VALUE = /^(?:[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|[+-]Inf|NaN)$/i;

interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

interface Family {
  readonly name: string;
  readonly type: string;
  readonly samples: Sample[];
}

/** Values by series. Throws on anything that the text format or its conventions don't allow. */
export function readExposition(text: string): Map<string, number> {
  if (!text.endsWith("\n")) throw new Error("the last line does not end");
  const values = new Map<string, number>();
  const families: Family[] = [];
  let help: string | undefined;
  for (const line of text.slice(0, -1).split("\n")) {
    const [, kind, name = "", rest = ""] = COMMENT.exec(line) ?? [];
    if (kind === "HELP") help = name;
    else if (kind === "TYPE") families.push(openFamily(name, rest, help, families));
    else {
      const sample = readSample(line);
      const series = line.slice(0, line.lastIndexOf(" "));
      if (values.has(series)) throw new Error(`${series} is there twice`);
      values.set(series, sample.value);
      addSample(families.at(-1), sample);
    }
  }
  for (const family of families) checkFamily(family);
  return values;
}

function openFamily(name: string, type: string, help: string | undefined, before: readonly Family[]): Family {
  if (!NAME.test(name) || help !== name) throw new Error(`${name} has no help before its type`);
  if (before.some((family) => family.name === name)) throw new Error(`${name} is split up`);
  if (!["counter", "gauge", "histogram"].includes(type)) throw new Error(`${name} has the type ${type}`);
  if ((type === "counter") !== name.endsWith("_total")) throw new Error(`${name} is not a name for a ${type}`);
  return { name, type, samples: [] };
}

function readSample(line: string): Sample {
  const [, name, inner = "", value = ""] = SAMPLE.exec(line) ?? [];
  if (name === undefined || !VALUE.test(value)) throw new Error(`not a sample: ${line}`);
  const labels: Record<string, string> = {};
  LABEL.lastIndex = 0;
  while (LABEL.lastIndex < inner.length) {
    const [, label, text = ""] = LABEL.exec(inner) ?? [];
    if (label === undefined || label in labels) throw new Error(`bad labels: ${line}`);
    labels[label] = text;
  }
  return { name, labels, value: Number(value) };
}

function addSample(family: Family | undefined, sample: Sample): void {
  const names = family?.type === "histogram" ? ["_bucket", "_sum", "_count"] : [""];
  if (!family || !names.some((part) => sample.name === family.name + part)) {
    throw new Error(`${sample.name} is in the wrong place`);
  }
  family.samples.push(sample);
}

function checkFamily({ name, type, samples }: Family): void {
  if (samples.length === 0) throw new Error(`${name} has no sample`);
  if (type !== "gauge" && samples.some(({ value }) => !(value >= 0))) throw new Error(`${name} counts below 0`);
  if (type === "histogram") for (const group of groupsOf(samples)) checkHistogram(name, group);
}

function checkHistogram(name: string, samples: readonly Sample[]): void {
  const buckets = samples.filter((sample) => sample.name === `${name}_bucket`);
  const bounds = buckets.map(({ labels }) => (labels.le === "+Inf" ? Number.POSITIVE_INFINITY : Number(labels.le)));
  const counts = buckets.map(({ value }) => value);
  const count = samples.filter((sample) => sample.name === `${name}_count`).map(({ value }) => value);
  const isAscending = (list: readonly number[]) => list.every((value, at) => at === 0 || value >= (list[at - 1] ?? 0));
  if (!isAscending(bounds) || !isAscending(counts)) throw new Error(`the buckets of ${name} do not ascend`);
  if (bounds.at(-1) !== Number.POSITIVE_INFINITY) throw new Error(`${name} has no last bucket`);
  if (count.length !== 1 || count[0] !== counts.at(-1)) throw new Error(`${name} has a wrong count`);
}

const groupsOf = (samples: readonly Sample[]) =>
  Map.groupBy(samples, ({ labels: { le: _, ...rest } }) => JSON.stringify(Object.entries(rest).sort())).values();
