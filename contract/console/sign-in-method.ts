import { z } from "zod";

/** How a session began. `sso`: with the operator's provider. */
export const SignInMethod = z.enum(["password", "passkey", "sso"]);
