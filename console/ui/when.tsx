import { formatAgo, formatInstant } from "./format.ts";

interface WhenProps {
  readonly instant: string;
  /** Stands before it, as in "expires". */
  readonly verb?: string;
}

/** A time as people say it; the exact one shows itself under the pointer. */
export const When = ({ instant, verb }: WhenProps) => (
  <time dateTime={instant} title={formatInstant(instant)} className="whitespace-nowrap">
    {verb && `${verb} `}
    {formatAgo(instant)}
  </time>
);
