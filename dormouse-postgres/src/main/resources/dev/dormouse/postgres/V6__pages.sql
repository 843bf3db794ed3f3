-- Runs that somebody should look at: stuck (4), failed (11), timed out (13). Few, so that hardly a commit touches it.
create index run_troubled on ${schema}.run (shard, status, run_id desc) where status in (4, 11, 13);

-- What nodes say of themselves, for people to look at.
alter table ${schema}.node
  add column name text collate "C" not null default '',
  add column lease_period bigint not null default 0,
  add column recovered bigint not null default 0,
  add column executing int not null default 0,
  add column parked int not null default 0,
  add column slots int not null default 0;

-- What nodes have counted in slots of time. A row is written by one node only, always as a whole. Old ones go.
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
