/** What decides whether a connection is closed to make room for others. */
export interface Sheddable {
  /** A request is being answered: the connection must stay. */
  readonly isBusy: boolean;
  /** It hasn't sent a whole request since it was opened, or has only sent part of the next one. */
  readonly isUnfinished: boolean;
  /** It was opened moments ago, so its first request may be on its way. */
  readonly isNew: boolean;
  /** Counts up across all connections: the lower, the longer ago the connection was opened or sent a request. */
  readonly lastSeenNo: number;
}

const [KEPT, NEW, IDLE, UNFINISHED] = [0, 1, 2, 3];

/** Chooses the least useful connections: unfinished before idle before new ones, and the oldest of each first. */
export function chooseToShed<T extends Sheddable>(connections: Iterable<T>, countMax: number): T[] {
  return [...connections]
    .map((connection) => ({ connection, rank: rankOf(connection) }))
    .filter(({ rank }) => rank !== KEPT)
    .sort((one, other) => other.rank - one.rank || one.connection.lastSeenNo - other.connection.lastSeenNo)
    .slice(0, countMax)
    .map(({ connection }) => connection);
}

function rankOf({ isBusy, isUnfinished, isNew }: Sheddable): number {
  if (isBusy) return KEPT;
  if (!isUnfinished) return IDLE;
  return isNew ? NEW : UNFINISHED;
}
