interface StreamEvent {
  readonly name: string;
  readonly data: string;
}

/** Takes a stream of server-sent events apart, as the HTML standard has it, however it is cut into pieces. */
export class EventStreamParser {
  #rest = "";
  #name = "";
  #data: string[] = [];

  /** The events that this piece completes. */
  push(text: string): StreamEvent[] {
    const events: StreamEvent[] = [];
    const lines = (this.#rest + text).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? "";
    for (const line of lines) {
      if (line !== "") this.#readField(line);
      else if (this.#data.length > 0) events.push(this.#take());
      else this.#name = "";
    }
    return events;
  }

  #readField(line: string): void {
    const [, field = "", value = ""] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (field === "event") this.#name = value;
    if (field === "data") this.#data.push(value);
  }

  #take(): StreamEvent {
    const event = { name: this.#name || "message", data: this.#data.join("\n") };
    this.#name = "";
    this.#data = [];
    return event;
  }
}
