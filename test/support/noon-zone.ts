/** A time zone where it is about noon, so that what happens today stays on one day. */
export function findNoonZone(): string {
  const hours = 12 - new Date().getUTCHours();
  return hours === 0 ? "Etc/GMT" : `Etc/GMT${hours > 0 ? "-" : "+"}${Math.abs(hours)}`;
}
