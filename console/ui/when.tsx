import { formatAgo, formatDay, formatInstant } from "./format.ts";

interface WhenProps {
  readonly instant: string;
  /** Stands before it, as in "expires". */
  readonly verb?: string;
  /** The sentence that it is part of, where it isn't at the end in every language. */
  readonly said?: (time: string) => string;
  /** The day itself, where it is planned with, rather than how far away it is. */
  readonly exact?: boolean;
}

/** A time as people say it; to the minute under the pointer. */
export const When = ({ instant, verb, said = (time) => time, exact = false }: WhenProps) => (
  <time dateTime={instant} title={formatInstant(instant)} className="whitespace-nowrap">
    {verb && `${verb} `}
    {said(exact ? formatDay(instant) : formatAgo(instant))}
  </time>
);
