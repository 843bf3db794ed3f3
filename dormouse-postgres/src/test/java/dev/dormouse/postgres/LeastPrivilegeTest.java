package dev.dormouse.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.store.Store;
import dev.dormouse.store.run.Sweep;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The engine's role may do nothing that the owner of a schema may not. All other tests connect as that role. */
class LeastPrivilegeTest {
    private static final String ROLE = "'" + TestPostgres.ROLE + "'";

    @Test
    void engineConnectsAsARoleWithoutAnySpecialRight() {
        String schema = TestPostgres.newSchema();
        try (Store store = TestPostgres.open(schema)) {
            store.nodes(0);
            assertThat(TestPostgres.query("""
                            select string_agg(distinct usename, ',') from pg_stat_activity
                            where application_name = 'dormouse' and datname = 'app'
                            """))
                    .isIn(TestPostgres.ROLE, TestPostgres.ROLE + ",explained", "explained," + TestPostgres.ROLE);
        }
        assertThat(TestPostgres.query("""
                        select rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls
                        from pg_roles where rolname = ROLE
                        """.replace("ROLE", ROLE))).isEqualTo("f");
        assertThat(TestPostgres.query(
                        "select count(*) from pg_auth_members where member = ROLE::regrole".replace("ROLE", ROLE)))
                .isEqualTo("0");
        assertThat(TestPostgres.query(
                        "select has_database_privilege(ROLE, current_database(), 'CREATE')".replace("ROLE", ROLE)))
                .isEqualTo("f");
    }

    @Test
    void engineOwnsNothingOutsideItsSchemas() {
        TestPostgres.open(TestPostgres.newSchema()).close();
        assertThat(TestPostgres.query("""
                        select count(*) from pg_class c join pg_namespace n on n.oid = c.relnamespace
                        where c.relowner = ROLE::regrole and n.nspowner <> ROLE::regrole
                          and n.nspname not like 'pg\\_toast%'
                        """.replace("ROLE", ROLE))).isEqualTo("0");
    }

    @Test
    void missingSchemaThatTheRoleMayNotCreateIsAClearError() {
        assertThatThrownBy(() -> TestPostgres.open("not there"))
                .isInstanceOfSatisfying(
                        DormouseException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.SCHEMA_MISSING))
                .hasMessageStartingWith("[DM2003] Expected a schema \"not there\" that role engine owns, but ")
                .hasMessageEndingWith("create schema \"not there\" authorization \"engine\"");
    }

    @Test
    void schemaOfAnotherRoleIsAClearError() {
        TestPostgres.execute(TestPostgres.admin(), "create schema \"somebody else's\"");
        assertThatThrownBy(() -> TestPostgres.open("somebody else's"))
                .isInstanceOfSatisfying(
                        DormouseException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.SCHEMA_MISSING))
                .hasMessageStartingWith("[DM2003] Expected ");
    }

    @Test
    void missingSchemaIsCreatedWhereTheRoleMay() {
        TestPostgres.execute(TestPostgres.admin(), "grant create on database app to " + TestPostgres.ROLE);
        try (Store store = TestPostgres.open("created by the engine")) {
            assertThat(store.nodes(0)).isEmpty();
        } finally {
            TestPostgres.execute(TestPostgres.admin(), "revoke create on database app from " + TestPostgres.ROLE);
        }
    }

    @Test
    void epochNamesTheTimelineForAnOrdinaryRole() {
        try (Store store = TestPostgres.open(TestPostgres.newSchema())) {
            String epoch =
                    store.sweep(0, new Sweep("node", "build", List.of(), 1)).epoch();
            assertThat(epoch)
                    .isEqualTo(TestPostgres.query("select system_identifier from pg_control_system()") + "/00000001");
        }
    }
}
