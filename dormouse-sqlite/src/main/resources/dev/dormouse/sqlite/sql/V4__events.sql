-- Subscriptions: which workflow id waits for which event. With rowids, because a match may be long.
create table dormouse_subscription (
  shard integer not null,
  workflow_id text not null,
  id text not null,
  event text not null,
  key text not null,
  until integer,
  match blob not null,
  primary key (shard, workflow_id, id)
);

create index dormouse_subscription_event on dormouse_subscription (shard, event, key, workflow_id, id);

create index dormouse_subscription_until on dormouse_subscription (shard, until) where until is not null;

-- Recently published events. An expired row is deleted.
create table dormouse_past_event (
  shard integer not null,
  event text not null,
  id text not null,
  at integer not null,
  until integer not null,
  payload blob not null,
  primary key (shard, event, id)
);

create index dormouse_past_event_at on dormouse_past_event (shard, event, at, id);

create index dormouse_past_event_until on dormouse_past_event (shard, until);

-- Definitions: workflows that are data. A row never changes.
create table dormouse_definition (
  shard integer not null,
  name text not null,
  version integer not null,
  defined_at integer not null,
  body blob not null,
  primary key (shard, name, version)
);

create index dormouse_definition_at on dormouse_definition (shard, defined_at, name, version);
