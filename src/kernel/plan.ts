/** What an account may use; `null` means unlimited. */
export interface Plan {
  readonly id: string;
  readonly api_access: boolean;
  readonly active_links: number | null;
  readonly webhook_endpoints: number | null;
  readonly domains: number | null;
  readonly api_tokens: number | null;
  readonly rules_per_link: number | null;
  /** The deployment's own limit where the plan says nothing. */
  readonly rate_limit_per_minute?: number | null | undefined;
}
