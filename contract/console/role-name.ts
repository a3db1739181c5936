import { z } from "zod";
import { roles } from "../roles.ts";

export const RoleName = z.enum(roles);
