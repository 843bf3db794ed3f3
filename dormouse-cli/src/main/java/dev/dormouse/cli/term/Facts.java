package dev.dormouse.cli.term;

import java.util.LinkedHashMap;
import java.util.Map;

/** Names and values, one on each line; what is empty is left out. */
public final class Facts {
    private final Map<String, String> facts = new LinkedHashMap<>();

    public Facts add(String name, String value) {
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
