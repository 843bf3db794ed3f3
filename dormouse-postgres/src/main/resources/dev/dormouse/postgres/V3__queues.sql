-- The place of a run in a queue; no name for a run in none.
alter table ${schema}.run
  add column queue text collate "C" not null default '',
  add column priority smallint not null default 0,
  add column rate_key text collate "C" not null default '';

-- Runs of queues by what is claimed first. Those that are claimed for their start (0) or a retry (2) stand by themselves:
-- any number of them may be held up by a rate, and all others must be found behind them. Alarms stand in a form that the
-- index of all alarms does not have, so that no plan takes that one instead.
create index run_queued on ${schema}.run
  (shard, lane, priority, (wake_reason in (0, 2)), (coalesce(wake_at, 9223372036854775807)))
  where queue <> '' and status < 10;

create index run_queue_lease on ${schema}.run (shard, queue, (coalesce(wake_at, 9223372036854775807)))
  where queue <> '' and lease <> 0;

-- Claims of a queue lock its row, so that they come one after the other; and until when its rate is used up.
create table ${schema}.queue (
  used_until  bigint  not null,
  shard       int     not null,
  name        text collate "C" not null,
  primary key (shard, name)
) with (fillfactor = 20, autovacuum_vacuum_threshold = 1000);

-- Until when the rate of a key is used up. A row whose time has passed says nothing, and goes.
create table ${schema}.rate (
  used_until  bigint  not null,
  shard       int     not null,
  queue       text collate "C" not null,
  key         text collate "C" not null,
  primary key (shard, queue, key)
) with (
  autovacuum_vacuum_scale_factor = 0.01,
  autovacuum_vacuum_threshold = 5000
);

-- Partial, so that the planner cannot take it for a way to a key.
create index rate_age on ${schema}.rate (shard, queue, used_until) where used_until > 0;
