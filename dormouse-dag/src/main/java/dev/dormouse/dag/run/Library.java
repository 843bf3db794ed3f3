package dev.dormouse.dag.run;

import dev.dormouse.ActivityOptions;
import dev.dormouse.dag.model.Definition;

/** Where runs find the definitions that they go by. */
public interface Library {

    /**
     * A version of a DAG, which is ready to run here.
     *
     * @throws dev.dormouse.error.DormouseException DAG_NOT_FOUND where there is none
     */
    Definition definition(String name, int version);

    /** The latest version of a DAG; fails likewise. */
    int latest(String name);

    /** How activities are executed whose step says nothing else. */
    ActivityOptions options();

    /** The queue that a limited step waits in. */
    static String queue(Definition dag, String step) {
        return queue(dag) + "/" + step;
    }

    /** The queue that runs of a limited DAG wait in. */
    static String queue(Definition dag) {
        return DagWorkflow.FAMILY + "/" + dag.name();
    }
}
