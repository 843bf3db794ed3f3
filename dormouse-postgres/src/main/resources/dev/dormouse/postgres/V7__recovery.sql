-- How many leases in a row have ended while the run was on probation: its code had just begun after a node died with it.
alter table ${schema}.run add column strikes smallint not null default 0;

-- Pages of the outbox are read in this order, which has no ties: without the id, a page would sort everything behind it.
drop index ${schema}.outbox_oldest;
create index outbox_oldest on ${schema}.outbox (shard, at, place, id) where at > 0;
