-- How many leases in a row have ended while the run was on probation: its code had just begun after a node died with it.
alter table ${schema}.run add column strikes smallint not null default 0;
