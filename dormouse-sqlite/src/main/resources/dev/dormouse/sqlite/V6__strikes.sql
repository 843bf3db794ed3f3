-- How many leases in a row have ended while the run was on probation: its code had just begun after a node died with it.
alter table dormouse_run add column strikes integer not null default 0;
