/** Tests of workflows in simulated time, with or without JUnit. */
module dev.dormouse.testing {
    requires transitive dev.dormouse;
    requires transitive dev.dormouse.lint;
    requires dev.dormouse.simulation;
    requires static org.junit.jupiter.api;
    requires static transitive org.jspecify;

    exports dev.dormouse.testing;
}
