/** Workflows as data: graphs of steps, defined in JSON or built in Java. */
module dev.dormouse.dag {
    requires transitive dev.dormouse;
    requires org.slf4j;
    requires tools.jackson.databind;
    requires static transitive org.jspecify;

    exports dev.dormouse.dag;
    exports dev.dormouse.dag.data;
    exports dev.dormouse.dag.model;
    exports dev.dormouse.dag.run to
            dev.dormouse.server;

    // the workflow interface of DAG runs, which the engine calls
    opens dev.dormouse.dag.run to
            dev.dormouse;
}
