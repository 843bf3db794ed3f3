package dev.dormouse.dag;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** The published JSON Schema of definitions. */
final class DagSchema {
    private DagSchema() {}

    static String text() {
        try (InputStream in = Objects.requireNonNull(DagSchema.class.getResourceAsStream("dag.schema.json"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }
}
