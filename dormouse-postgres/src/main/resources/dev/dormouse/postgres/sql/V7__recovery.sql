-- The number of consecutive leases that expired on probation: while the code had just restarted after a node crash.
alter table ${schema}.run add column strikes smallint not null default 0;

-- The order of outbox pages, without ties: without the id, a page would sort all rows after it.
drop index ${schema}.outbox_oldest;
create index outbox_oldest on ${schema}.outbox (shard, at, place, id) where at > 0;
