/** Increment when the same request no longer produces the same bytes; it is part of every ETag. */
export const RENDERING_VERSION = 2;
