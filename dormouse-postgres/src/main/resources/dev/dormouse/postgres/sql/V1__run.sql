-- Instants are bigint microseconds since 1970. Shard leads every key, so that the tables can be distributed by it.

-- The one row of a run that is ever updated. Nodes find it only by its alarm (wake_at).
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

-- Crash recovery, timers, retries and delayed starts are all a scan of this index.
create index run_alarm on ${schema}.run (shard, lane, wake_at) where wake_at is not null;

-- One current run per workflow id: this index refuses a second start, and messages find their run by it.
create unique index run_current on ${schema}.run (shard, workflow_id) where current;

-- Runs that were replaced by a later one: for lists by workflow id.
create index run_replaced on ${schema}.run (shard, workflow_id, run_id desc) where not current;

-- Stuck runs (status 4), which a new build of the code wakes.
create index run_stuck on ${schema}.run (shard, lane) where status = 4;

-- Append-only: one row per commit of a run. It also proves that the commit was applied.
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

-- Rows and their keys live until the workflow id is purged. Position is null until the engine has notified the run.
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

-- Partial, so that the planner does not use it to find a key: a plan that was made for an empty inbox would search all
-- items of the workflow id for each key.
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

-- Partial, so that the planner does not use it to find an id: only a query with "at > 0" uses it.
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

-- Partial for the same reason as the index of the outbox.
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

-- Values that are set when the tables are created, such as the number of shards.
create table ${schema}.meta (
  key         text collate "C" primary key,
  value       text    not null
);
