import type { RedisLink, RedisListener } from "./redis-link.ts";
import type { SignalHandlers, Signals } from "./signals.ts";

export interface RedisSignalsOptions {
  readonly link: RedisLink;
  readonly channelOf: (topic: string) => string;
  /** Tells the signals of this process from those of others. */
  readonly processId: string;
}

interface Topic {
  readonly name: string;
  readonly handlers: Set<SignalHandlers>;
}

/** Subscriptions belong to this object, not to a connection: each new connection subscribes to all of them. */
export class RedisSignals implements Signals, RedisListener {
  readonly #options: RedisSignalsOptions;
  readonly #topics = new Map<string, Topic>();

  constructor(options: RedisSignalsOptions) {
    this.#options = options;
  }

  publish(topic: string, text: string): void {
    const { link, channelOf, processId } = this.#options;
    link.call((redis) => redis.publish(channelOf(topic), `${processId} ${text}`)).catch(() => {});
  }

  subscribe(name: string, handlers: SignalHandlers): () => void {
    const { link, channelOf } = this.#options;
    const channel = channelOf(name);
    const topic = this.#topics.get(channel) ?? { name, handlers: new Set() };
    topic.handlers.add(handlers);
    if (!this.#topics.has(channel)) {
      this.#topics.set(channel, topic);
      link
        .call((redis) => redis.subscribe(channel))
        .then(() => this.#resume(topic))
        .catch(() => {});
    }
    return () => {
      topic.handlers.delete(handlers);
      if (topic.handlers.size > 0 || this.#topics.get(channel) !== topic) return;
      this.#topics.delete(channel);
      link.call((redis) => redis.unsubscribe(channel)).catch(() => {});
    };
  }

  channels(): readonly string[] {
    return [...this.#topics.keys()];
  }

  onMessage(channel: string, text: string): void {
    const space = text.indexOf(" ");
    if (space < 0 || text.slice(0, space) === this.#options.processId) return;
    for (const { onSignal } of this.#topics.get(channel)?.handlers ?? []) onSignal(text.slice(space + 1));
  }

  onResumed(): void {
    for (const topic of this.#topics.values()) this.#resume(topic);
  }

  #resume(topic: Topic): void {
    for (const { onResumed } of topic.handlers) onResumed?.();
  }
}
