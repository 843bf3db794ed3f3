/** An in-memory store, and nodes under simulated time in one JVM. Users see it through {@code dev.dormouse.testing}. */
module dev.dormouse.simulation {
    requires transitive dev.dormouse.store;
    requires org.slf4j;
    requires static transitive org.jspecify;

    exports dev.dormouse.testing.memory to
            dev.dormouse.testing;
    exports dev.dormouse.testing.sim to
            dev.dormouse.testing;
}
