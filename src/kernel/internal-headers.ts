/** From the redirect process to control; whatever a client sends under these names is overwritten. */
export const CLIENT_HEADER = "x-kurz-client";
export const REQUEST_ID_HEADER = "x-kurz-request-id";
/** The length of a body that control does not get, because it is too large for anything. */
export const UNREAD_BODY_HEADER = "x-kurz-unread-body";
