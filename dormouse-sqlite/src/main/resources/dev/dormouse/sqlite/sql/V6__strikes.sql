-- The number of consecutive leases that expired on probation: while the code had just restarted after a node crash.
alter table dormouse_run add column strikes integer not null default 0;
