package dev.dormouse.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** Migrations are read and printed. The tests of each store show that and how they are applied. */
class MigrationsTest {
    private static final MigrationDialect DIALECT = new MigrationDialect(
            "\"s\".schema_version", "select 1", "create table version", "lock", Map.of("schema", "\"s\""));

    @Test
    void statementEndsWithASemicolonBeforeAnEmptyLine() {
        assertThat(Migration.read(MigrationsTest.class, "V1__first.sql").statements(DIALECT))
                .containsExactly("""
                        create table "s".a (x int); -- not the end, as no empty line follows
                        insert into "s".a values (1)""", """
                        create function f() as $$
                        begin
                          return 1;
                        end $$""");
    }

    @Test
    void numberAndNameComeFromTheResource() {
        Migration second = Migration.read(MigrationsTest.class, "V2__second.sql");
        assertThat(second.version()).isEqualTo(2);
        assertThat(second.name()).isEqualTo("second");
        assertThat(second.statements(DIALECT)).containsExactly("-- A comment.\nupdate \"s\".a set x = 2");
    }

    @Test
    void printedScriptHoldsEverythingInOrder() {
        Migrations migrations = Migrations.of(MigrationsTest.class, "V1__first.sql", "V2__second.sql");
        assertThat(migrations.latest()).isEqualTo(2);
        assertThat(migrations.print(DIALECT))
                .containsSubsequence(
                        "create table version;",
                        "-- 1: first",
                        "create function f()",
                        "insert into \"s\".schema_version (version, name) values (1, 'first');",
                        "-- 2: second",
                        "update \"s\".a set x = 2;",
                        "insert into \"s\".schema_version (version, name) values (2, 'second');")
                .doesNotContain("${");
    }

    @Test
    void wrongListIsRefused() {
        assertThatThrownBy(() -> Migrations.of(MigrationsTest.class, "V2__second.sql"))
                .hasMessageStartingWith("Expected migrations 1, 2, 3");
        assertThatThrownBy(() -> Migrations.of(MigrationsTest.class, "V1__missing.sql"))
                .hasMessageContaining("it is not there");
        assertThatThrownBy(() -> Migrations.of(MigrationsTest.class, "first.sql"))
                .hasMessageStartingWith("Expected a resource such as V1__run.sql");
    }
}
