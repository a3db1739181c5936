const BYTE_UNITS = ["bytes", "KiB", "MiB", "GiB", "TiB"];

export function bytesText(bytes: number): string {
  const power = Math.min(BYTE_UNITS.length - 1, Math.max(0, Math.floor(Math.log2(bytes) / 10)));
  const amount = bytes / 1024 ** power;
  return `${power === 0 || amount >= 100 ? Math.floor(amount) : amount.toFixed(1)} ${BYTE_UNITS[power]}`;
}

const TIME_UNITS = [
  [86_400_000, "d"],
  [3_600_000, "h"],
  [60_000, "min"],
] as const;

export function durationText(ms: number): string {
  const [unitMs, unit] = TIME_UNITS.find(([least]) => ms >= least) ?? [1000, "s"];
  return `${Math.floor(ms / unitMs)} ${unit}`;
}
