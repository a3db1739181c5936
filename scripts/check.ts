import { checkSteps, runSteps } from "./steps.ts";

process.exit(await runSteps(checkSteps));
