/** HSTS for a year, on deployments that speak https (RFC 6797). */
export const STRICT_TRANSPORT_SECURITY = "max-age=31536000";
