declare module "http-cache-semantics" {
  interface Message {
    readonly headers: Readonly<Record<string, string>>;
    readonly method?: string;
    readonly url?: string;
    readonly status?: number;
  }
  class CachePolicy {
    constructor(request: Message, response: Message, options?: { readonly shared?: boolean });
    storable(): boolean;
  }
  export = CachePolicy;
}
