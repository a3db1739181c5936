/** Begins something that lasts until what it returns is called. */
export type Hold = () => () => void;

/** Begins with the first of several holders, and ends when all of them have let go. */
export function sharedHold(begin: Hold): Hold {
  let holders = 0;
  let end = (): void => {};
  return () => {
    if (holders === 0) end = begin();
    holders += 1;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      holders -= 1;
      if (holders === 0) end();
    };
  };
}
