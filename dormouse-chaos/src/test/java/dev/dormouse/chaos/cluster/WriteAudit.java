package dev.dormouse.chaos.cluster;

import dev.dormouse.chaos.postgres.ChaosPostgres;
import dev.dormouse.inspect.RunStatus;
import java.util.List;
import java.util.UUID;

/**
 * An audit log of all writes, kept by PostgreSQL itself: triggers record every change of a run and every history row,
 * with the role that was logged in. For this purpose each worker gets its own role.
 */
public final class WriteAudit {
    private final ChaosCluster cluster;

    /**
     * One write.
     *
     * @param history true for a history row, false for a change of the run's own row
     * @param role the role that was logged in
     */
    public record Write(
            long place, boolean history, UUID runId, String role, long lease, RunStatus before, RunStatus after) {}

    private WriteAudit(ChaosCluster cluster) {
        this.cluster = cluster;
    }

    /** Starts the audit log. Must be called before any worker starts. */
    public static WriteAudit of(ChaosCluster cluster) {
        cluster.createTables();
        ChaosPostgres.execute("""
                create table ${schema}.audit (
                  place bigint generated always as identity primary key,
                  history boolean not null,
                  run_id uuid not null,
                  role text not null,
                  lease bigint not null,
                  before smallint not null,
                  after smallint not null);
                create function ${schema}.note_run() returns trigger language plpgsql security definer as $$
                  begin
                    insert into ${schema}.audit (history, run_id, role, lease, before, after)
                    values (false, new.run_id, session_user, new.lease, old.status, new.status);
                    return null;
                  end $$;
                create function ${schema}.note_history() returns trigger language plpgsql security definer as $$
                  begin
                    insert into ${schema}.audit (history, run_id, role, lease, before, after)
                    values (true, new.run_id, session_user, 0, 0, 0);
                    return null;
                  end $$;
                create trigger audit after update on ${schema}.run
                  for each row execute function ${schema}.note_run();
                create trigger audit after insert on ${schema}.history
                  for each row execute function ${schema}.note_history();
                """.replace("${schema}", cluster.schema()));
        return new WriteAudit(cluster);
    }

    /** Returns a worker setting that logs in with the worker's own role. */
    public String as(String name) {
        String role = cluster.schema() + "_" + name;
        ChaosPostgres.execute("create role " + role + " login password 'secret' in role " + ChaosPostgres.ENGINE);
        return "store=" + ChaosPostgres.url(role, ChaosPostgres.port());
    }

    /** Returns all writes so far, in order. */
    public List<Write> writes() {
        return cluster.database()
                .select(
                        """
                        select place, history, run_id, role, lease, before, after
                        from ${prefix}audit
                        order by place
                        """,
                        row -> new Write(
                                row.getLong(1),
                                row.getBoolean(2),
                                row.getObject(3, UUID.class),
                                row.getString(4).substring(cluster.schema().length() + 1),
                                row.getLong(5),
                                RunStatus.of(row.getInt(6)),
                                RunStatus.of(row.getInt(7))));
    }
}
