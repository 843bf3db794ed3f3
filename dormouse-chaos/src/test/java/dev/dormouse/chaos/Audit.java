package dev.dormouse.chaos;

import dev.dormouse.store.RunStatus;
import java.util.List;
import java.util.UUID;

/**
 * Who wrote what, according to PostgreSQL itself: triggers note every change of a run and every row of a history, with
 * the role that was logged in. Each worker gets a role of its own for that.
 */
final class Audit {
    private final Scene scene;

    /**
     * One write.
     *
     * @param history whether it was a row of the history; else the run's own row was changed
     * @param role who was logged in
     */
    record Write(long place, boolean history, UUID runId, String role, long lease, RunStatus before, RunStatus after) {}

    private Audit(Scene scene) {
        this.scene = scene;
    }

    /** Begins to take notes; to be called before there is a worker. */
    static Audit of(Scene scene) {
        scene.createTables();
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
                """.replace("${schema}", scene.schema()));
        return new Audit(scene);
    }

    /** A setting that makes a worker log in under a name of its own. */
    String as(String name) {
        String role = scene.schema() + "_" + name;
        ChaosPostgres.execute("create role " + role + " login password 'secret' in role " + ChaosPostgres.ENGINE);
        return "store=" + ChaosPostgres.url(role, ChaosPostgres.port());
    }

    /** All that was written so far, in order. */
    List<Write> writes() {
        return scene.database()
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
                                row.getString(4).substring(scene.schema().length() + 1),
                                row.getLong(5),
                                RunStatus.of(row.getInt(6)),
                                RunStatus.of(row.getInt(7))));
    }
}
