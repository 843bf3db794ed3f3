package dev.dormouse.demo.screen;

import dev.dormouse.demo.base.DemoTexts;
import dev.dormouse.demo.order.OrderView;
import dev.dormouse.demo.run.DemoRun;
import dev.dormouse.demo.run.WorkerProcess;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One line for an order: its number, its progress, its activity or wait, and the remaining time. */
final class OrderLine {
    private static final int ITEM = 6;
    private static final int STEPS = 15;
    private static final int WHAT = 21;
    private static final int BAR = 47;
    private static final int TIME = 8;
    private static final List<String> WORK =
            List.of("reserves the stock", "charges the card", "ships the parcel", "asks how it was");

    private final DemoRun demo;
    private final ScreenGlyphs glyphs;

    OrderLine(DemoRun demo, ScreenGlyphs glyphs) {
        this.demo = demo;
        this.glyphs = glyphs;
    }

    void paint(ScreenLine line, int number, Instant now, int width) {
        line.upTo(ITEM - 1, TextStyle.DIM, Integer.toString(number));
        demo.order(number)
                .ifPresentOrElse(
                        order -> paint(line, order, now, width),
                        () -> line.at(WHAT).add(TextStyle.DIM, "is placed"));
    }

    private void paint(ScreenLine line, OrderView order, Instant now, int width) {
        line.at(ITEM).add(TextStyle.PLAIN, order.item());
        line.at(STEPS)
                .add(TextStyle.GREEN, glyphs.done().repeat(order.stepsDone()))
                .add(TextStyle.DIM, glyphs.open().repeat(Math.max(0, WORK.size() - order.stepsDone())));
        line.at(WHAT).add(style(order), what(order));
        line.at(BAR);
        Instant until = order.until();
        if (isExecuted(order)) {
            line.add(TextStyle.BLUE, glyphs.spinner(now.toEpochMilli() / 100 + order.number()));
        } else if (until != null && hasTimer(order)) {
            paintTimer(line, order, until, now, width);
        }
    }

    private void paintTimer(ScreenLine line, OrderView order, Instant until, Instant now, int width) {
        Duration whole = Duration.between(order.since(), until);
        Duration left = Duration.between(now, until);
        double part = whole.isZero() ? 1 : 1 - (double) left.toMillis() / whole.toMillis();
        line.add(style(order), glyphs.bar(Math.max(0, width - BAR - TIME - 1), part));
        line.upTo(
                width - 1,
                left.isNegative() ? TextStyle.ALARM : TextStyle.PLAIN,
                left.isNegative() ? "due" : DemoTexts.left(left));
    }

    /**
     * On SQLite the lease of a dead worker ends when another process opens the file, even if the row says otherwise.
     */
    private boolean hasTimer(OrderView order) {
        return order.state().isWaiting()
                || order.state() == OrderView.State.HELD_BACK
                || order.state() == OrderView.State.EXECUTING
                        && !demo.pool().settings().isSqlite();
    }

    private boolean isExecuted(OrderView order) {
        return order.state() == OrderView.State.EXECUTING && !demo.isOrphan(order.number());
    }

    private String what(OrderView order) {
        return switch (order.state()) {
            case EXECUTING -> executing(order);
            case BACK_OFF -> "bank silent, attempt " + (order.attempts() + 1);
            case APPROVAL -> "waits for approval";
            case DELIVERY -> "sleeps, parcel on its way";
            case HELD_BACK -> "lost workers, held back";
            case ENDED -> "has ended";
            case CALLED_OFF -> "was called off";
            case TROUBLE -> "is in trouble";
        };
    }

    private String executing(OrderView order) {
        if (demo.isOrphan(order.number())) {
            return demo.pool().settings().isSqlite() ? "its worker is dead" : "worker dead, lease ends";
        }
        String work = order.stepsDone() < WORK.size() ? WORK.get(order.stepsDone()) : "ends";
        @Nullable
        String worker = demo.pool().workers().stream()
                .filter(one -> one.report().executing().contains(order.number()))
                .map(WorkerProcess::name)
                .findFirst()
                .orElse(null);
        return worker == null ? work : work + " on " + worker;
    }

    private TextStyle style(OrderView order) {
        return switch (order.state()) {
            case EXECUTING -> demo.isOrphan(order.number()) ? TextStyle.ALARM : TextStyle.BLUE;
            case BACK_OFF, HELD_BACK -> TextStyle.YELLOW;
            case APPROVAL -> TextStyle.PLAIN;
            case DELIVERY, ENDED, CALLED_OFF -> TextStyle.DIM;
            case TROUBLE -> TextStyle.ALARM;
        };
    }
}
