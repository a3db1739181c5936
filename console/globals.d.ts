declare module "*.css";

/** Where the flags of countries are; the build puts the address in its place. */
declare const FLAGS_URL: string;
