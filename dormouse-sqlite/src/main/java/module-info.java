import dev.dormouse.sqlite.SqliteStoreProvider;
import dev.dormouse.store.StoreProvider;

/** The store in a SQLite file, which {@code store("sqlite:FILE")} opens. */
module dev.dormouse.sqlite {
    requires dev.dormouse.store;
    requires org.slf4j;
    requires org.xerial.sqlitejdbc;
    requires static transitive org.jspecify;

    // the SQL files of migrations
    opens dev.dormouse.sqlite.sql to
            dev.dormouse.store;

    provides StoreProvider with
            SqliteStoreProvider;
}
