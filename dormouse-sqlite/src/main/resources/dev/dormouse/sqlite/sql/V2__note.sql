-- Progress notes of steps that are executing, one note per call of a run. Deleted with the step or the run.
create table dormouse_note (
  shard integer not null,
  run_id blob not null,
  call integer not null,
  attempt integer not null,
  lease integer not null,
  payload blob not null,
  primary key (shard, run_id, call)
);
