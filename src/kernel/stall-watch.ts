export interface StallWatch {
  /** Something is under way from now on; what was under way before has ended. */
  begin(): void;
  end(): void;
  stop(): void;
}

/**
 * Tells when something takes longer than `msMax`, once for each time and at the latest after twice that. It is made for
 * what is done many thousand times a second: to begin and to end costs setting a number, and a timer looks at it now and
 * then. Two looks find the same thing under way before it counts as late, so that an event loop which was held up itself
 * comes to its news first.
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
