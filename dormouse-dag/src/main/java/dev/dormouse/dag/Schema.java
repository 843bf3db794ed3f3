package dev.dormouse.dag;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** The JSON Schema of definitions, as it is published. */
final class Schema {
    private Schema() {}

    static String text() {
        try (InputStream in = Objects.requireNonNull(Schema.class.getResourceAsStream("dag.schema.json"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }
}
