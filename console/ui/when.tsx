import { formatAgo, formatDay, formatInstant } from "./format.ts";

interface WhenProps {
  readonly instant: string;
  /** The words around it, as in "expires in 2 days". */
  readonly said?: (time: string) => string;
  /** The day itself, where it is planned with, rather than how far away it is. */
  readonly exact?: boolean;
}

/** A time as people say it; to the minute under the pointer. */
export const When = ({ instant, said = (time) => time, exact = false }: WhenProps) => (
  <time dateTime={instant} title={formatInstant(instant)} className="whitespace-nowrap">
    {said(exact ? formatDay(instant) : formatAgo(instant))}
  </time>
);
