const pad = (number: number, digits = 2): string => String(number).padStart(digits, "0");

/**
 * An instant as the browser's field writes it: in the zone of the person, without saying so. Part by part, since the
 * zone's offset is in whole minutes, which those of early years are not (Berlin's was 53 minutes and 28 seconds).
 */
export function toLocal(instant: string): string {
  if (instant === "") return "";
  const date = new Date(instant);
  const day = [pad(date.getFullYear(), 4), pad(date.getMonth() + 1), pad(date.getDate())].join("-");
  return `${day}T${pad(date.getHours())}:${pad(date.getMinutes())}`;
}
