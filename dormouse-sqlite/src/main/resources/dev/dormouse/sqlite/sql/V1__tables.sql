-- Ids are 16 bytes, most significant first, so that they sort by time. Instants are microseconds since 1970.
-- All names begin with dormouse_, because users have their own tables in the same file.

create table dormouse_setting (
  name text not null primary key,
  value text not null
) without rowid;

insert into dormouse_setting (name, value) values ('shards', '${shards}');

create table dormouse_run (
  shard integer not null,
  run_id blob not null,
  workflow_id text not null,
  current integer not null,
  type text not null,
  lane text not null,
  status integer not null,
  lease integer not null,
  owner text not null,
  wake_at integer,
  wake_reason integer not null,
  next_seq integer not null,
  checksum integer not null,
  mail integer not null,
  consumed integer not null,
  takeovers integer not null,
  refused text not null,
  trouble text not null,
  created_at integer not null,
  closed_at integer,
  primary key (shard, run_id)
) without rowid;

create index dormouse_run_alarm on dormouse_run (shard, lane, wake_at) where wake_at is not null;

create unique index dormouse_run_current on dormouse_run (shard, workflow_id) where current = 1;

create index dormouse_run_replaced on dormouse_run (shard, workflow_id, run_id) where current = 0;

create index dormouse_run_leased on dormouse_run (shard) where lease <> 0;

create index dormouse_run_stuck on dormouse_run (shard, lane) where status = 4;

-- With rowids: commits of many runs then append to the same few pages, and long payloads stay out of the key's tree.
create table dormouse_history (
  shard integer not null,
  run_id blob not null,
  seq integer not null,
  count integer not null,
  at integer not null,
  checksum integer not null,
  payload blob not null,
  primary key (shard, run_id, seq)
);

-- Position is null for an item that a user's transaction inserted and that is not counted yet.
create table dormouse_inbox (
  shard integer not null,
  workflow_id text not null,
  key text not null,
  position integer,
  kind integer not null,
  accepted_at integer,
  payload blob not null,
  primary key (shard, workflow_id, key)
);

create unique index dormouse_inbox_position on dormouse_inbox (shard, workflow_id, position) where position is not null;

create table dormouse_outbox (
  place integer primary key,
  shard integer not null,
  id blob not null,
  workflow_id text not null,
  kind integer not null,
  payload blob not null,
  unique (shard, id)
);

create index dormouse_outbox_place on dormouse_outbox (shard, place);

-- Queries on their way to a node that has the workflow's code, and the answers on their way back.
create table dormouse_question (
  place integer primary key,
  shard integer not null,
  id blob not null,
  run_id blob not null,
  workflow_id text not null,
  lane text not null,
  asked_at integer not null,
  payload blob not null,
  answer blob,
  unique (shard, id)
);

create index dormouse_question_open on dormouse_question (shard, lane, place) where answer is null;

create index dormouse_question_age on dormouse_question (shard, asked_at);
