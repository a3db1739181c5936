/** Something that an operator can mend. The message says all there is to know, so there is no stack to log. */
export class OperatorMistake extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.stack = message;
  }
}
