import { z } from "zod";

// Schemas would try to compile themselves, which the page's policy refuses and reports. Said here, before any is made.
z.config({ jitless: true });

export { z };
