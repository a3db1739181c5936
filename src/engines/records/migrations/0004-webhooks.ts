import type { Migration } from "./migration.ts";

export const webhooks: Migration = {
  id: 4,
  name: "webhooks",
  sqlite: `
alter table accounts add column webhook_endpoints integer not null default 0;

create table webhook_endpoints (
  no integer primary key autoincrement,
  id text not null unique,
  account_no integer not null references accounts (no) on delete cascade,
  url text not null,
  description text,
  events text not null,
  takes_clicks integer not null check (takes_clicks in (0, 1)),
  secret text not null,
  old_secret text,
  old_secret_until integer,
  created_at integer not null,
  updated_at integer not null,
  disabled_at integer,
  disabled_by text check (disabled_by in ('owner', 'failing', 'gone')),
  failing_since integer,
  last_failure_at integer,
  exhausted_at integer,
  clicks_dropped integer not null default 0
) strict;
create index webhook_endpoints_account_idx on webhook_endpoints (account_no);
create index webhook_endpoints_clicks_idx on webhook_endpoints (account_no) where takes_clicks = 1;

create table webhook_events (
  no integer primary key autoincrement,
  id text not null unique,
  account_no integer not null references accounts (no) on delete cascade,
  type text not null,
  body text not null,
  created_at integer not null
) strict;
create index webhook_events_created_idx on webhook_events (created_at);
create index webhook_events_account_idx on webhook_events (account_no);

create table webhook_deliveries (
  no integer primary key autoincrement,
  id text not null unique,
  event_no integer not null references webhook_events (no) on delete cascade,
  endpoint_no integer not null references webhook_endpoints (no) on delete cascade,
  state text not null check (state in ('pending', 'delivered', 'failed')),
  attempts integer not null default 0,
  next_at integer,
  is_manual integer not null default 0 check (is_manual in (0, 1)),
  lease text,
  created_at integer not null
) strict;
create index webhook_deliveries_event_idx on webhook_deliveries (event_no);
create index webhook_deliveries_endpoint_idx on webhook_deliveries (endpoint_no, no);
create index webhook_deliveries_state_idx on webhook_deliveries (endpoint_no, state, no);
-- The queue of each endpoint. What is being sent stays in it, due again when its lease ends.
create index webhook_deliveries_due_idx on webhook_deliveries (endpoint_no, next_at) where next_at is not null;
create index webhook_deliveries_lease_idx on webhook_deliveries (lease) where lease is not null;

create table webhook_attempts (
  no integer primary key autoincrement,
  delivery_no integer not null references webhook_deliveries (no) on delete cascade,
  at integer not null,
  is_manual integer not null,
  status integer,
  problem text,
  duration_ms integer not null,
  excerpt text not null
) strict;
create index webhook_attempts_delivery_idx on webhook_attempts (delivery_no);
`,
};
