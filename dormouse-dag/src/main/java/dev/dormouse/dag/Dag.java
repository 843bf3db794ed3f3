package dev.dormouse.dag;

import dev.dormouse.dag.data.JsonTree;
import dev.dormouse.dag.model.DagDefinition;
import dev.dormouse.dag.model.Mermaid;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A workflow defined as data: its steps and their order. Immutable. Everything that can be checked before a run has
 * been checked.
 */
public final class Dag {
    private final DagDefinition definition;

    Dag(DagDefinition definition) {
        this.definition = definition;
    }

    /**
     * Returns a builder for a DAG with the given name and version 1.
     *
     * @throws dev.dormouse.error.DormouseException BAD_DAG if {@code name} is null
     */
    public static DagBuilder workflow(String name) {
        return new DagBuilder(name);
    }

    /**
     * Reads a definition from JSON. {@link #jsonSchema} describes the format.
     *
     * @throws dev.dormouse.error.DormouseException BAD_DAG if {@code json} is not a valid definition; the message names
     *     the path of the mistake
     */
    public static Dag fromJson(String json) {
        Object tree = JsonTree.parse(json);
        JsonTree.check(tree);
        return DagReader.read(tree);
    }

    /** Returns the JSON Schema of the definitions that {@link #fromJson} reads. */
    public static String jsonSchema() {
        return DagSchema.text();
    }

    /** Returns the definition as JSON. {@link #fromJson} reads it back as an equal DAG. */
    public String toJson() {
        return JsonTree.pretty(DagWriter.tree(definition));
    }

    /** Returns the DAG as a Mermaid flowchart. */
    public String toMermaid() {
        return Mermaid.picture(definition, Map.of());
    }

    /** Returns the name of the DAG, which identifies it in the store together with its version. */
    public String name() {
        return definition.name();
    }

    /** Returns the version, which counts from 1. The latest version is the one with the highest number. */
    public int version() {
        return definition.version();
    }

    DagDefinition definition() {
        return definition;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Dag dag && JsonTree.same(DagWriter.tree(definition), DagWriter.tree(dag.definition));
    }

    @Override
    public int hashCode() {
        return name().hashCode() * 31 + version();
    }

    @Override
    public String toString() {
        return "DAG '" + name() + "' version " + version();
    }
}
