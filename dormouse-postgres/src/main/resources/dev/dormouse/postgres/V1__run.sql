-- Instants are bigint microseconds since 1970. Shard leads every key, so that the tables can be distributed by it.

-- The one row of a run that is ever updated. Its alarm (wake_at) is the only reason why anybody looks at it.
create table ${schema}.run (
  run_id      uuid    not null,
  lease       bigint  not null,
  wake_at     bigint,
  checksum    bigint  not null,
  mail        bigint  not null default 0,
  consumed    bigint  not null default 0,
  created_at  bigint  not null,
  closed_at   bigint,
  shard       int     not null,
  next_seq    int     not null,
  takeovers   int     not null default 0,
  status      smallint not null,
  wake_reason smallint not null,
  current     boolean not null,
  workflow_id text collate "C" not null,
  type        text collate "C" not null,
  lane        text collate "C" not null,
  owner       text collate "C" not null,
  refused     text collate "C" not null,
  trouble     text collate "C" not null,
  primary key (shard, run_id)
) with (
  fillfactor = 70,
  autovacuum_vacuum_scale_factor = 0.01,
  autovacuum_vacuum_threshold = 5000,
  autovacuum_vacuum_cost_delay = 0,
  autovacuum_analyze_scale_factor = 0.05,
  autovacuum_analyze_threshold = 5000
);

-- All of crash recovery, timers, retries and delayed starts is a scan of this index.
create index run_alarm on ${schema}.run (shard, lane, wake_at) where wake_at is not null;

-- One current run for each workflow id: a start is refused by this index, and mail finds its run by it.
create unique index run_current on ${schema}.run (shard, workflow_id) where current;

-- Runs in whose place a later one was started: for lists by workflow id.
create index run_replaced on ${schema}.run (shard, workflow_id, run_id desc) where not current;

-- Stuck runs (status 4), which a new build of the code wakes.
create index run_stuck on ${schema}.run (shard, lane) where status = 4;

-- Append-only: one row for each commit of a run. It is also the proof that the commit was applied.
create table ${schema}.history (
  run_id      uuid    not null,
  at          bigint  not null,
  checksum    bigint  not null,
  shard       int     not null,
  seq         int     not null,
  events      int     not null,
  payload     bytea   not null,
  primary key (shard, run_id, seq)
);

-- Rows and their keys live until the workflow id is purged. Position is null until the engine has rung the run.
create table ${schema}.inbox (
  position    bigint,
  accepted_at bigint  not null,
  shard       int     not null,
  kind        int     not null,
  workflow_id text collate "C" not null,
  key         text collate "C" not null,
  payload     bytea   not null,
  primary key (shard, workflow_id, key)
);

-- Partial, so that the planner cannot take it for a way to a key: a plan that was made while the inbox is empty would
-- look for each key among all items of its workflow id.
create unique index inbox_position on ${schema}.inbox (shard, workflow_id, position) where position is not null;

create table ${schema}.outbox (
  id          uuid    not null,
  at          bigint  not null,
  shard       int     not null,
  place       int     not null,
  kind        int     not null,
  workflow_id text collate "C" not null,
  payload     bytea   not null,
  primary key (shard, id)
) with (
  autovacuum_vacuum_scale_factor = 0.01,
  autovacuum_vacuum_threshold = 5000
);

-- Partial, so that the planner cannot take it for a way to an id: only a query that says "at > 0" uses it.
create index outbox_oldest on ${schema}.outbox (shard, at, place) where at > 0;

-- Queries on their way to a node that has the workflow's code, and the answers on their way back. Short-lived.
create table ${schema}.question (
  id          uuid    not null,
  run_id      uuid    not null,
  asked_at    bigint  not null,
  shard       int     not null,
  workflow_id text collate "C" not null,
  lane        text collate "C" not null,
  payload     bytea   not null,
  answer      bytea,
  primary key (shard, id)
) with (
  autovacuum_vacuum_scale_factor = 0.01,
  autovacuum_vacuum_threshold = 5000
);

create index question_open on ${schema}.question (shard, lane, asked_at, id) where answer is null;

-- Partial for the same reason as the outbox's.
create index question_age on ${schema}.question (shard, asked_at) where asked_at > 0;

create table ${schema}.node (
  started_at  bigint  not null,
  seen_at     bigint  not null,
  shard       int     not null,
  node_id     text collate "C" not null,
  build       text collate "C" not null,
  lanes       text[] collate "C" not null,
  primary key (shard, node_id)
) with (fillfactor = 50);

-- What was decided when the tables were created, such as the number of shards.
create table ${schema}.meta (
  key         text collate "C" primary key,
  value       text    not null
);
