import { importTexts as texts } from "#texts/imports.ts";

/** How the server begins to say that a file has no column with destinations, as far as it knows. */
export const NO_DESTINATION = "No column looks like the destination.";

/** Why a file can't be imported. The server names the field; people see it above the columns. */
export const csvProblemText = (problem: string): string =>
  problem.startsWith(NO_DESTINATION) ? texts.noDestination : texts.problem(problem);
