package dev.dormouse.demo.screen;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/**
 * A terminal screen on which only changed lines are drawn. Thread-safe: any thread may close it, and nothing is drawn
 * afterwards.
 */
public final class TerminalScreen implements AutoCloseable {
    private static final String ENTER = "\033[?1049h\033[?25l";
    private static final String CLEAR = "\033[2J";

    private final PrintStream out;
    private final RawTerminal terminal = RawTerminal.open();
    private boolean closed;
    private RawTerminal.Size size = new RawTerminal.Size(0, 0);
    private List<String> drawn = new ArrayList<>();

    public TerminalScreen(PrintStream out) throws IOException {
        this.out = out;
        out.print(ENTER);
    }

    public synchronized void draw(RawTerminal.Size now, List<ScreenLine> lines) {
        if (closed) {
            return;
        }
        StringBuilder changes = new StringBuilder();
        if (!now.equals(size)) {
            changes.append(CLEAR);
            drawn = new ArrayList<>();
            size = now;
        }
        List<String> texts = lines.stream().map(ScreenLine::toString).toList();
        for (int row = 0; row < texts.size(); row++) {
            if (row >= drawn.size() || !texts.get(row).equals(drawn.get(row))) {
                changes.append("\033[")
                        .append(row + 1)
                        .append(";1H")
                        .append(texts.get(row))
                        .append("\033[K");
            }
        }
        drawn = texts;
        out.print(changes);
        out.flush();
    }

    @Override
    public synchronized void close() {
        closed = true;
        terminal.close();
    }
}
