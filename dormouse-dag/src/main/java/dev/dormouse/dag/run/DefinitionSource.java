package dev.dormouse.dag.run;

import dev.dormouse.ActivityOptions;
import dev.dormouse.dag.model.DagDefinition;

/** The source of definitions for runs. */
public interface DefinitionSource {

    /**
     * Returns a version of a DAG that can be executed here.
     *
     * @throws dev.dormouse.error.DormouseException DAG_NOT_FOUND if there is none
     */
    DagDefinition definition(String name, int version);

    /**
     * Returns the latest version number of a DAG.
     *
     * @throws dev.dormouse.error.DormouseException DAG_NOT_FOUND if there is none
     */
    int latest(String name);

    /** Returns the default activity options, for steps that do not override them. */
    ActivityOptions options();

    /** Returns the name of the queue for a limited step. */
    static String queue(DagDefinition dag, String step) {
        return queue(dag) + "/" + step;
    }

    /** Returns the name of the queue for the runs of a DAG with a run limit. */
    static String queue(DagDefinition dag) {
        return DagWorkflow.FAMILY + "/" + dag.name();
    }
}
