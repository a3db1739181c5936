export interface StallWatch {
  /** An operation starts; the one before it has ended. */
  begin(): void;
  end(): void;
  stop(): void;
}

/**
 * Calls `onStall` once for anything that takes longer than `msMax`, after at most twice that time. It is cheap enough for
 * many thousand operations a second: begin and end only set a number, which a timer checks now and then. An operation
 * counts as late when two checks in a row find it, so that a blocked event loop handles pending events first.
 */
export function watchForStalls(msMax: number, onStall: () => void): StallWatch {
  let underWay = 0;
  let lastNo = 0;
  let seen = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function look(): void {
    timer = undefined;
    if (underWay === 0) return;
    if (underWay === seen) onStall();
    else lookLater();
    seen = underWay;
  }

  function lookLater(): void {
    timer ??= setTimeout(look, msMax);
  }

  return {
    begin() {
      lastNo += 1;
      underWay = lastNo;
      if (timer === undefined) lookLater();
    },
    end() {
      underWay = 0;
    },
    stop() {
      underWay = 0;
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
