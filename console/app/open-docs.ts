/** The docs are pages of their own, beside the console. */
const open = (path: string): void => void window.open(path, "_blank", "noreferrer");

export const openDocs = (): void => open("/docs");
export const openReference = (): void => open("/docs/api");
