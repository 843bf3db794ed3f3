import dev.dormouse.postgres.PostgresStoreProvider;
import dev.dormouse.store.StoreProvider;

/** The store in a PostgreSQL database, which {@code store("jdbc:postgresql://…")} opens, and timers in SQL. */
module dev.dormouse.postgres {
    requires transitive dev.dormouse;
    requires com.zaxxer.hikari;
    requires jdk.net;
    requires org.postgresql.jdbc;
    requires org.slf4j;
    requires static org.checkerframework.checker.qual;
    requires static transitive org.jspecify;

    exports dev.dormouse.postgres.sqltimers;

    // socket factories, which the driver creates by name
    exports dev.dormouse.postgres.notify to
            org.postgresql.jdbc;

    // the SQL files of migrations
    opens dev.dormouse.postgres.sql to
            dev.dormouse.store;

    provides StoreProvider with
            PostgresStoreProvider;
}
