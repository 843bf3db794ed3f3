/**
 * The store SPI, the errors and the descriptions of runs: everything that stores and the engine share.
 *
 * <p>Packages that are exported to single modules may change at any time.
 */
module dev.dormouse.store {
    requires transitive java.sql;
    requires org.slf4j;
    requires static transitive org.jspecify;

    exports dev.dormouse.error;
    exports dev.dormouse.inspect;
    exports dev.dormouse.store;
    exports dev.dormouse.store.base;
    exports dev.dormouse.store.event;
    exports dev.dormouse.store.page;
    exports dev.dormouse.store.queue;
    exports dev.dormouse.store.run;
    exports dev.dormouse.store.timer;
    exports dev.dormouse.internal.thread to
            dev.dormouse,
            dev.dormouse.postgres,
            dev.dormouse.simulation;
    exports dev.dormouse.store.jdbc to
            dev.dormouse.postgres,
            dev.dormouse.simulation,
            dev.dormouse.sqlite;
}
