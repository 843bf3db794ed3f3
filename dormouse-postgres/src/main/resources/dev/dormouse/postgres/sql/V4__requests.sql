-- Starts and signals from SQL, in the caller's transaction: a row of the outbox, which a node moves when it is committed.
-- Only the owner may call them, unless an admin has granted that.
create function ${schema}.request(verb text, target text, name text, content jsonb) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $body$
declare
  now_at timestamptz := clock_timestamp();
  chance text := replace(gen_random_uuid()::text, '-', '');
begin
  if target is null or target !~ '^[^!%]' or length(target) > 500 then   -- ids of timers and schedules
    raise exception 'Expected a workflow id of 1 to 500 characters that begins neither with ! nor %%, but got %.', coalesce(quote_literal(target), 'null')
      using errcode = 'invalid_parameter_value';
  end if;
  if name is null or name !~ '^[^!%#]' or length(name) > 200 or name ~ '[[:cntrl:]]' then
    raise exception 'Expected a name of 1 to 200 characters that does not begin with !, %% or #, but got %.', coalesce(quote_literal(name), 'null')
      using errcode = 'invalid_parameter_value';
  end if;
  insert into ${schema}.outbox (id, at, shard, place, kind, workflow_id, payload)
  values (
    -- ordered by time, like run ids
    (lpad(to_hex(floor(extract(epoch from now_at) * 1000)::int8), 12, '0') || '7' || substr(chance, 14))::uuid,
    floor(extract(epoch from now_at) * 1000000)::int8, 0, 0, 10, target,
    convert_to(verb || E'\n' || name || E'\n' || coalesce(content::text, ''), 'UTF8'));
  perform pg_notify(${channel}, 'O');
end $body$;

-- Starts a workflow, unless the id has a run already. The input is the one argument; null: none.
create function ${schema}.start_workflow(workflow_type text, workflow_id text, input jsonb default null) returns void
language sql
as $body$ select ${schema}.request('start', workflow_id, workflow_type, input) $body$;

-- Sends a signal with one argument; null: none. Has no effect if there is no open run.
create function ${schema}.signal_workflow(workflow_id text, signal_name text, payload jsonb default null) returns void
language sql
as $body$ select ${schema}.request('signal', workflow_id, signal_name, payload) $body$;

revoke all on function ${schema}.request(text, text, text, jsonb) from public;
revoke all on function ${schema}.start_workflow(text, text, jsonb) from public;
revoke all on function ${schema}.signal_workflow(text, text, jsonb) from public;
