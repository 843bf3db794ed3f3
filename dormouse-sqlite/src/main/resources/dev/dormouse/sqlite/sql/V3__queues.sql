-- The place of a run in a queue; the name is empty if the run is not in a queue.
alter table dormouse_run add column queue text not null default '';

alter table dormouse_run add column priority integer not null default 0;

alter table dormouse_run add column rate_key text not null default '';

-- Runs of queues in the order of claims. Runs that are claimed for their start (0) or a retry (2) are separate: a rate may
-- delay any number of them, and the others must still be found.
create index dormouse_run_queued on dormouse_run (shard, lane, priority, (wake_reason in (0, 2)), wake_at)
where queue <> '' and wake_at is not null;

create index dormouse_run_queue_lease on dormouse_run (shard, queue, wake_at) where queue <> '' and lease <> 0;

-- Until when the rate of a queue is used up.
create table dormouse_queue (
  shard integer not null,
  name text not null,
  used_until integer not null,
  primary key (shard, name)
) without rowid;

-- Until when the rate of a key is used up. An expired row has no effect and is deleted.
create table dormouse_rate (
  shard integer not null,
  queue text not null,
  key text not null,
  used_until integer not null,
  primary key (shard, queue, key)
) without rowid;

create index dormouse_rate_age on dormouse_rate (shard, used_until);
