package dev.dormouse.cli.base;

import dev.dormouse.cli.process.CommandFailed;
import dev.dormouse.cli.process.Environment;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Ids as they were typed, where {@code -} stands for those on standard input, one on each line. */
public final class Ids {
    private Ids() {}

    public static List<String> of(List<String> typed, Environment environment) {
        Set<String> ids = new LinkedHashSet<>();
        for (String id : typed) {
            if (id.equals("-")) {
                ids.addAll(read(environment));
            } else {
                ids.add(id);
            }
        }
        if (ids.isEmpty()) {
            throw CommandFailed.usage("Expected ids on standard input, one on each line, but there is none.");
        }
        return List.copyOf(ids);
    }

    private static List<String> read(Environment environment) {
        return new BufferedReader(new InputStreamReader(environment.in(), StandardCharsets.UTF_8))
                .lines()
                .filter(line -> !line.isBlank())
                .toList();
    }
}
