-- The place of a run in a queue; the name is empty if the run is not in a queue.
alter table ${schema}.run
  add column queue text collate "C" not null default '',
  add column priority smallint not null default 0,
  add column rate_key text collate "C" not null default '';

-- Runs of queues in the order of claims. Runs that are claimed for their start (0) or a retry (2) are separate: a rate may
-- delay any number of them, and the others must still be found. Alarms are an expression that differs from that of the
-- index of all alarms, so that no plan uses that index instead.
create index run_queued on ${schema}.run
  (shard, lane, priority, (wake_reason in (0, 2)), (coalesce(wake_at, 9223372036854775807)))
  where queue <> '' and status < 10;

create index run_queue_lease on ${schema}.run (shard, queue, (coalesce(wake_at, 9223372036854775807)))
  where queue <> '' and lease <> 0;

-- Claims of a queue lock its row, so that they run one after the other. Also stores until when its rate is used up.
create table ${schema}.queue (
  used_until  bigint  not null,
  shard       int     not null,
  name        text collate "C" not null,
  primary key (shard, name)
) with (fillfactor = 20, autovacuum_vacuum_threshold = 1000);

-- Until when the rate of a key is used up. An expired row has no effect and is deleted.
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

-- Partial, so that the planner does not use it to find a key.
create index rate_age on ${schema}.rate (shard, queue, used_until) where used_until > 0;
