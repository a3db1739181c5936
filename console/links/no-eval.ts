import { config } from "zod";

// Schemas would try to compile themselves, which the page's policy refuses and reports. First of all imports, since it
// has to be said before any schema is made.
config({ jitless: true });
