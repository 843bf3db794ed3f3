-- Runs that need attention: stuck (4), failed (11), timed out (13). There are few, so that few commits change it.
create index run_troubled on ${schema}.run (shard, status, run_id desc) where status in (4, 11, 13);

-- The states that nodes report, for dashboards.
alter table ${schema}.node
  add column name text collate "C" not null default '',
  add column lease_period bigint not null default 0,
  add column recovered bigint not null default 0,
  add column executing int not null default 0,
  add column parked int not null default 0,
  add column slots int not null default 0;

-- Tallies: counters of nodes per time slot. One node writes a row, always completely. Old rows are deleted.
create table ${schema}.tally (
  slot_at     bigint  not null,
  started     bigint  not null,
  completed   bigint  not null,
  failed      bigint  not null,
  closed      bigint  not null,
  steps       bigint  not null,
  fired       bigint  not null,
  takeovers   bigint  not null,
  shard       int     not null,
  length      int     not null,
  node_id     text collate "C" not null,
  lateness    bigint[] not null,
  primary key (shard, length, slot_at, node_id)
) with (
  fillfactor = 50,
  autovacuum_vacuum_scale_factor = 0.01,
  autovacuum_vacuum_threshold = 5000
);
