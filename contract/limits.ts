/** Limits and patterns outside the schemas, because the redirect process must not load a schema library. */
export const DESTINATION_BYTES_MAX = 8000;
export const TARGET_BYTES_MAX = 8192;
export const BODY_BYTES_MAX = 65_536;

/** Many links at once: the path, operations, and how many of them count as one more request. */
export const BULK_PATH = "/api/v1/links/bulk";
export const BULK_OPERATIONS_MAX = 1000;
export const BULK_OPERATIONS_PER_REQUEST = 50;
export const BULK_BODY_BYTES_MAX = 4 * 1024 * 1024;

/** Where assistants call tools. */
export const MCP_PATH = "/mcp";

/** The logo in the center of QR codes: file size, and pixels per side. */
export const LOGO_BYTES_MAX = 512 * 1024;
export const LOGO_SIDE_MAX = 1024;

export const SLUG_PATTERN = /^[A-Za-z0-9](?:[A-Za-z0-9_-]{0,62}[A-Za-z0-9])?$/;

/** In code points. */
export const TITLE_LENGTH_MAX = 255;

/** In the order they are added to the URL. */
export const utmKeys = ["utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content"] as const;

/** Below the instance's own host: where shared reports are. */
export const SHARE_TOKEN_LENGTH = 24;
export const SHARE_PATH = new RegExp(`^/share/[A-Za-z0-9]{${SHARE_TOKEN_LENGTH}}(?=[/?]|$)`);
export const SHARES_PER_LINK_MAX = 20;
export const MIN_VISITORS_MAX = 1000;

/** How many days a deleted link can be restored. */
export const TRASH_DAYS = 30;
