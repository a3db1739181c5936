const KEY = "kurz.demo";

/** Someone is in the demo, in this tab. */
export const beginDemoVisit = (): void => sessionStorage.setItem(KEY, "1");

/** They left by themselves, or know by now that it was reset. */
export const endDemoVisit = (): void => sessionStorage.removeItem(KEY);

/** Whether they were in the demo and never left: sessions end with a reset. */
export const wasDemoReset = (): boolean => sessionStorage.getItem(KEY) !== null;
