-- Progress notes of steps that are executing, one note per call of a run. Deleted with the step or the run.
create table ${schema}.note (
  run_id      uuid    not null,
  lease       bigint  not null,
  shard       int     not null,
  call        int     not null,
  attempt     int     not null,
  payload     bytea   not null,
  primary key (shard, run_id, call)
) with (
  fillfactor = 50,
  autovacuum_vacuum_scale_factor = 0.01,
  autovacuum_vacuum_threshold = 5000
);
