-- Runs that need attention: stuck (4), failed (11), timed out (13). There are few, so that few commits change it.
create index dormouse_run_troubled on dormouse_run (shard, status, run_id) where status in (4, 11, 13);

-- Tallies: counters of nodes per time slot. One node writes a row, always completely. Old rows are deleted.
create table dormouse_tally (
  shard integer not null,
  length integer not null,
  slot_at integer not null,
  node_id text not null,
  started integer not null,
  completed integer not null,
  failed integer not null,
  closed integer not null,
  steps integer not null,
  fired integer not null,
  takeovers integer not null,
  lateness text not null,
  primary key (shard, length, slot_at, node_id)
) without rowid;
