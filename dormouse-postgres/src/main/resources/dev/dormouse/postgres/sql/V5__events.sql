-- Subscriptions: which workflow id waits for which event. Rows are inserted and deleted, never updated.
create table ${schema}.subscription (
  until       bigint,
  shard       int     not null,
  workflow_id text collate "C" not null,
  id          text collate "C" not null,
  event       text collate "C" not null,
  key         text collate "C" not null,
  match       bytea   not null,
  primary key (shard, workflow_id, id)
) with (
  autovacuum_vacuum_scale_factor = 0.01,
  autovacuum_vacuum_threshold = 5000
);

-- Partial, so that the planner does not use it to find an id: only a query with "event >= ''" uses it. Ids have a
-- collation with the same order that the primary key does not have: otherwise a plan that was made while all subscriptions
-- are of one event would use the primary key and search all subscriptions for another event.
create index subscription_event on ${schema}.subscription
  (shard, event, key, workflow_id collate "POSIX", id collate "POSIX") where event >= '';

create index subscription_until on ${schema}.subscription (shard, until) where until is not null;

-- Recently published events. An expired row is deleted.
create table ${schema}.past_event (
  at          bigint  not null,
  until       bigint  not null,
  shard       int     not null,
  event       text collate "C" not null,
  id          text collate "C" not null,
  payload     bytea   not null,
  primary key (shard, event, id)
) with (
  autovacuum_vacuum_scale_factor = 0.01,
  autovacuum_vacuum_threshold = 5000
);

-- Both partial, so that the planner does not use them to find an id.
create index past_event_at on ${schema}.past_event (shard, event, at, id) where at > 0;

create index past_event_until on ${schema}.past_event (shard, until) where until > 0;

-- Definitions: workflows that are data. A row never changes.
create table ${schema}.definition (
  defined_at  bigint  not null,
  shard       int     not null,
  version     int     not null,
  name        text collate "C" not null,
  body        bytea   not null,
  primary key (shard, name, version)
);

-- Partial for the same reason as above.
create index definition_at on ${schema}.definition (shard, defined_at, name, version) where defined_at > 0;
