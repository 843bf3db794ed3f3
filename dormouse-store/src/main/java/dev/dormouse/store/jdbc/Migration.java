package dev.dormouse.store.jdbc;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A numbered change of the schema: resource {@code V1__run.sql} is number 1 with the name {@code run}. A statement ends
 * with a semicolon at the end of a line, if an empty line or the end of the file follows. So the body of a function may
 * contain semicolons.
 */
record Migration(int version, String name, String sql) {
    private static final Pattern RESOURCE = Pattern.compile("(?:.*/)?V(\\d+)__(\\w+)\\.sql");
    private static final Pattern END_OF_STATEMENT = Pattern.compile(";[ \\t]*(?:\\R[ \\t]*\\R|\\s*\\z)");

    static Migration read(Class<?> anchor, String resource) {
        Matcher parts = RESOURCE.matcher(resource);
        if (!parts.matches()) {
            throw new IllegalArgumentException("Expected a resource such as V1__run.sql, but got " + resource + ".");
        }
        return new Migration(Integer.parseInt(parts.group(1)), parts.group(2), text(anchor, resource));
    }

    private static String text(Class<?> anchor, String resource) {
        try (InputStream in = anchor.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalArgumentException(
                        "Expected " + resource + " beside " + anchor.getName() + ", but it is not there.");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    List<String> statements(MigrationDialect dialect) {
        return Stream.of(END_OF_STATEMENT.split(sql))
                .filter(statement -> !statement.isBlank())
                .map(dialect::fill)
                .toList();
    }
}
