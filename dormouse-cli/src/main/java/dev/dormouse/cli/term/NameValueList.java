package dev.dormouse.cli.term;

import java.util.LinkedHashMap;
import java.util.Map;

/** A list of names and values, one pair per line. Empty values are left out. */
public final class NameValueList {
    private final Map<String, String> facts = new LinkedHashMap<>();

    public NameValueList add(String name, String value) {
        if (!value.isEmpty()) {
            facts.put(name, Text.clean(value));
        }
        return this;
    }

    public void print(Screen screen) {
        int width = facts.keySet().stream().mapToInt(String::length).max().orElse(0);
        int room = screen.isTerminal() ? Math.max(screen.width() - width - 4, 20) : Integer.MAX_VALUE;
        facts.forEach((name, value) -> screen.line("  " + screen.style().dim(name + " ".repeat(width - name.length()))
                + "  " + Text.cut(value, room)));
    }
}
