/**
 * The workflow API and the engine.
 *
 * <p>Packages below {@code dev.dormouse.internal} are exported to single modules only, and may change at any time. A
 * program that is a module itself opens the packages of its workflows and activities to this module, and the packages of
 * its inputs and results to {@code tools.jackson.databind}, unless it exports them.
 */
module dev.dormouse {
    requires transitive dev.dormouse.store;
    requires transitive java.sql;
    requires transitive org.slf4j;
    requires transitive tools.jackson.databind;
    requires transitive org.jspecify; // at run time too: histories are read by the nullness of record components

    exports dev.dormouse;
    exports dev.dormouse.codec;
    exports dev.dormouse.plugin;
    exports dev.dormouse.schedule;
    exports dev.dormouse.timer;
    exports dev.dormouse.internal.client to
            dev.dormouse.server,
            dev.dormouse.testing;
    exports dev.dormouse.internal.embedded to
            dev.dormouse.cli,
            dev.dormouse.testing;
    exports dev.dormouse.internal.engine.observe to
            dev.dormouse.postgres;
    exports dev.dormouse.internal.engine.time to
            dev.dormouse.postgres;
    exports dev.dormouse.internal.history to
            dev.dormouse.dag,
            dev.dormouse.server;
    exports dev.dormouse.internal.history.json to
            dev.dormouse.cli,
            dev.dormouse.server,
            dev.dormouse.testing;
    exports dev.dormouse.internal.replay to
            dev.dormouse.dag;
    exports dev.dormouse.internal.run to
            dev.dormouse.dag,
            dev.dormouse.postgres,
            dev.dormouse.testing;

    // records that are stored as JSON
    opens dev.dormouse.internal.event to
            tools.jackson.databind;
    opens dev.dormouse.internal.schedule to
            tools.jackson.databind;

    uses dev.dormouse.store.StoreProvider;
}
