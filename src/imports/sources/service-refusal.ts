import { SourceProblem } from "#imports/import-source.ts";

/** The service answered, but not with what was asked for. */
export class ServiceRefusal extends SourceProblem {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}
