import type { Migration } from "./migration.ts";

/** The tables of the sign-in library (better-auth), with our names; an account is its organization. */
export const signIn: Migration = {
  id: 1,
  name: "sign-in",
  sqlite: `
create table users (
  id text not null primary key,
  name text not null,
  email text not null unique,
  email_verified integer not null,
  image text,
  created_at date not null,
  updated_at date not null,
  two_factor_enabled integer
);

create table sessions (
  id text not null primary key,
  expires_at date not null,
  token text not null unique,
  created_at date not null,
  updated_at date not null,
  ip_address text,
  user_agent text,
  user_id text not null references users (id) on delete cascade,
  active_account_id text
);

create table credentials (
  id text not null primary key,
  provider_account_id text not null,
  provider_id text not null,
  user_id text not null references users (id) on delete cascade,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at date,
  refresh_token_expires_at date,
  scope text,
  password text,
  created_at date not null,
  updated_at date not null
);

create table verifications (
  id text not null primary key,
  identifier text not null,
  value text not null,
  expires_at date not null,
  created_at date not null,
  updated_at date not null
);

create table accounts (
  no integer primary key autoincrement,
  id text not null unique,
  name text not null,
  slug text not null unique,
  logo text,
  created_at date not null,
  metadata text,
  plan_id text not null default 'unlimited',
  suspended_at integer,
  active_links integer not null default 0
);

create table members (
  id text not null primary key,
  account_id text not null references accounts (id) on delete cascade,
  user_id text not null references users (id) on delete cascade,
  role text not null,
  created_at date not null,
  unique (account_id, user_id)
);

create table invitations (
  id text not null primary key,
  account_id text not null references accounts (id) on delete cascade,
  email text not null,
  role text,
  status text not null,
  expires_at date not null,
  created_at date not null,
  inviter_id text not null references users (id) on delete cascade
);

create table two_factors (
  id text not null primary key,
  secret text not null,
  backup_codes text not null,
  user_id text not null references users (id) on delete cascade,
  verified integer,
  failed_verification_count integer,
  locked_until date
);

create index sessions_user_id_idx on sessions (user_id);
create index credentials_user_id_idx on credentials (user_id);
create index verifications_identifier_idx on verifications (identifier);
create index members_user_id_idx on members (user_id);
create index invitations_account_id_idx on invitations (account_id);
create index invitations_email_idx on invitations (email);
create index two_factors_user_id_idx on two_factors (user_id);
`,
};
