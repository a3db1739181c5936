import { z } from "zod";
import { DESTINATION_BYTES_MAX } from "./limits.ts";

// Rules that depend on the deployment's configuration (own hosts, block list) are in the link service.
export const Destination = z
  .string()
  .min(1)
  .max(DESTINATION_BYTES_MAX)
  .meta({
    description:
      "Where the short link redirects to: an absolute http or https URL. Stored and returned as the WHATWG URL Standard " +
      "serializes it, so `https://example.com` becomes `https://example.com/`.",
    examples: ["https://example.com/sale"],
  });
