package dev.dormouse.demo.screen;

import dev.dormouse.demo.base.DemoTexts;
import dev.dormouse.demo.order.OrderView;
import dev.dormouse.demo.run.DemoRun;
import dev.dormouse.demo.run.WorkerProcess;
import dev.dormouse.demo.worker.WorkerReport;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;

/** The lines that show a {@link DemoRun}: the workers, one line per order, the messages and the keys. */
public final class ScreenPainter {
    private static final int TOP = 1;
    private static final int BOTTOM = 1;
    private static final int LEAST_NEWS = 2;
    private static final String KEYS = "k kill -9  a approve  f fast-forward  q quit";

    private final DemoRun demo;
    private final RecentMessages news;
    private final OrderLine orderLine;
    private final boolean hasColors;

    public ScreenPainter(DemoRun demo, RecentMessages news, ScreenGlyphs glyphs, boolean hasColors) {
        this.demo = demo;
        this.news = news;
        this.orderLine = new OrderLine(demo, glyphs);
        this.hasColors = hasColors;
    }

    public List<ScreenLine> paint(RawTerminal.Size size) {
        Instant now = Instant.now();
        int room = Math.max(0, size.rows() - TOP - BOTTOM - LEAST_NEWS);
        List<Integer> rows = demo.rows();
        List<ScreenLine> lines = new ArrayList<>();
        lines.add(top(size));
        for (int i = 0; i < Math.min(room, DemoRun.ORDERS); i++) {
            ScreenLine line = line(size);
            lines.add(line);
            if (i < rows.size()) {
                orderLine.paint(line, rows.get(i), now, size.columns());
            }
        }
        addNews(lines, size);
        lines.add(bottom(size));
        return lines.subList(Math.max(0, lines.size() - size.rows()), lines.size());
    }

    private ScreenLine line(RawTerminal.Size size) {
        return new ScreenLine(size.columns(), hasColors);
    }

    private ScreenLine top(RawTerminal.Size size) {
        ScreenLine line = line(size).add(TextStyle.BOLD, " Dormouse demo");
        Optional<String> dashboard = demo.pool().workers().stream()
                .map(WorkerProcess::dashboard)
                .filter(url -> !url.isEmpty())
                .findFirst();
        line.add(TextStyle.BLUE, "  " + dashboard.orElse(""));
        for (WorkerProcess worker : demo.pool().workers()) {
            line.add(TextStyle.PLAIN, "  " + worker.name() + ": process " + worker.pid());
            line.add(TextStyle.DIM, worker.isReady() ? "" : " starts");
        }
        return demo.pool().workers().isEmpty() ? line.add(TextStyle.ALARM, "  no worker") : line;
    }

    private void addNews(List<ScreenLine> lines, RawTerminal.Size size) {
        int room = Math.max(0, size.rows() - lines.size() - BOTTOM);
        int width = Math.max(1, size.columns() - 1);
        int end = lines.size() + room;
        for (RecentMessages.Item item : news.fitting(room, width)) {
            for (String text : item.lines(width)) {
                lines.add(line(size).add(item.style(), " " + text));
            }
        }
        while (lines.size() < end) {
            lines.add(line(size));
        }
    }

    private ScreenLine bottom(RawTerminal.Size size) {
        int held = sum(WorkerReport::held);
        int waiting = (int) count(order -> order.state().isWaiting());
        String threads = " " + DemoTexts.count(held, "thread") + " held by " + DemoTexts.count(waiting, "waiting run");
        return line(size)
                .add(held == 0 ? TextStyle.GREEN : TextStyle.YELLOW, threads)
                .at(size.columns() - KEYS.length() - 1)
                .add(TextStyle.BOLD, KEYS);
    }

    private int sum(ToIntFunction<WorkerReport> figure) {
        return demo.pool().workers().stream()
                .map(WorkerProcess::report)
                .mapToInt(figure)
                .sum();
    }

    private long count(Predicate<OrderView> which) {
        return demo.rows().stream()
                .flatMap(number -> demo.order(number).stream())
                .filter(which)
                .count();
    }
}
