/** The API reference is a page of its own, beside the console. */
export const openReference = (): void => void window.open("/docs", "_blank", "noreferrer");
