package dev.dormouse.examples.demo;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;

/** Makes lines of what goes on in a {@link Play}: who works, one line per order, the news and the keys. */
final class Painter {
    private static final int TOP = 1;
    private static final int BOTTOM = 1;
    private static final int LEAST_NEWS = 2;
    private static final String KEYS = "k kill -9  a approve  f fast-forward  q quit";

    private final Play play;
    private final Bulletin news;
    private final OrderLine orderLine;
    private final boolean hasColours;

    Painter(Play play, Bulletin news, Glyphs glyphs, boolean hasColours) {
        this.play = play;
        this.news = news;
        this.orderLine = new OrderLine(play, glyphs);
        this.hasColours = hasColours;
    }

    List<Line> paint(RawTerminal.Size size) {
        Instant now = Instant.now();
        int room = Math.max(0, size.rows() - TOP - BOTTOM - LEAST_NEWS);
        List<Integer> rows = play.rows();
        List<Line> lines = new ArrayList<>();
        lines.add(top(size));
        for (int i = 0; i < Math.min(room, Play.ORDERS); i++) {
            Line line = line(size);
            lines.add(line);
            if (i < rows.size()) {
                orderLine.paint(line, rows.get(i), now, size.columns());
            }
        }
        addNews(lines, size);
        lines.add(bottom(size));
        return lines.subList(Math.max(0, lines.size() - size.rows()), lines.size());
    }

    private Line line(RawTerminal.Size size) {
        return new Line(size.columns(), hasColours);
    }

    private Line top(RawTerminal.Size size) {
        Line line = line(size).add(Style.BOLD, " Dormouse demo");
        Optional<String> dashboard = play.crew().workers().stream()
                .map(WorkerProcess::dashboard)
                .filter(url -> !url.isEmpty())
                .findFirst();
        line.add(Style.BLUE, "  " + dashboard.orElse(""));
        for (WorkerProcess worker : play.crew().workers()) {
            line.add(Style.PLAIN, "  " + worker.name() + ": process " + worker.pid());
            line.add(Style.DIM, worker.isReady() ? "" : " starts");
        }
        return play.crew().workers().isEmpty() ? line.add(Style.ALARM, "  no worker") : line;
    }

    private void addNews(List<Line> lines, RawTerminal.Size size) {
        int room = Math.max(0, size.rows() - lines.size() - BOTTOM);
        int width = Math.max(1, size.columns() - 1);
        int end = lines.size() + room;
        for (Bulletin.Item item : news.fitting(room, width)) {
            for (String text : item.lines(width)) {
                lines.add(line(size).add(item.style(), " " + text));
            }
        }
        while (lines.size() < end) {
            lines.add(line(size));
        }
    }

    private Line bottom(RawTerminal.Size size) {
        int held = sum(Report::held);
        int waiting = (int) count(order -> order.state().isWaiting());
        String threads = " " + Texts.count(held, "thread") + " held by " + Texts.count(waiting, "waiting run");
        return line(size)
                .add(held == 0 ? Style.GREEN : Style.YELLOW, threads)
                .at(size.columns() - KEYS.length() - 1)
                .add(Style.BOLD, KEYS);
    }

    private int sum(ToIntFunction<Report> figure) {
        return play.crew().workers().stream()
                .map(WorkerProcess::report)
                .mapToInt(figure)
                .sum();
    }

    private long count(Predicate<OrderView> which) {
        return play.rows().stream()
                .flatMap(number -> play.order(number).stream())
                .filter(which)
                .count();
    }
}
