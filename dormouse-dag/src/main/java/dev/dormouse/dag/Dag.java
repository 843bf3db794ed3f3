package dev.dormouse.dag;

import dev.dormouse.dag.data.Tree;
import dev.dormouse.dag.model.Definition;
import dev.dormouse.dag.model.Mermaid;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A workflow as data: steps, and what comes after what. Immutable; whatever can be checked before it runs was. */
public final class Dag {
    private final Definition definition;

    Dag(Definition definition) {
        this.definition = definition;
    }

    /** Begins one, with version 1. */
    public static DagBuilder workflow(String name) {
        return new DagBuilder(name);
    }

    /**
     * Reads one; see {@link #jsonSchema}.
     *
     * @throws dev.dormouse.error.DormouseException BAD_DAG for what is not one, with the path of the mistake
     */
    public static Dag fromJson(String json) {
        Object tree = Tree.parse(json);
        Tree.check(tree);
        return DagReader.read(tree);
    }

    /** The JSON Schema of what {@link #fromJson} reads. */
    public static String jsonSchema() {
        return Schema.text();
    }

    /** The definition as JSON, which {@link #fromJson} reads back as an equal one. */
    public String toJson() {
        return Tree.pretty(DagWriter.tree(definition));
    }

    /** The DAG as a picture: a flowchart in the language of Mermaid. */
    public String toMermaid() {
        return Mermaid.picture(definition, Map.of());
    }

    public String name() {
        return definition.name();
    }

    public int version() {
        return definition.version();
    }

    Definition definition() {
        return definition;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Dag dag && Tree.same(DagWriter.tree(definition), DagWriter.tree(dag.definition));
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
