package dev.dormouse.demo.screen;

import dev.dormouse.demo.run.DemoMessages;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;

/** The latest messages. If there is little space, deaths and recoveries stay visible for a while. */
public final class RecentMessages implements DemoMessages {
    private static final int KEPT = 50;
    private static final Duration IN_VIEW = Duration.ofSeconds(4);

    /** A message. */
    record Item(long order, Instant at, Tone tone, String text) {
        private boolean isInView(Instant now) {
            return tone != Tone.PLAIN && at.isAfter(now.minus(IN_VIEW));
        }

        TextStyle style() {
            return switch (tone) {
                case PLAIN -> TextStyle.PLAIN;
                case DEATH -> TextStyle.ALARM;
                case RECOVERY -> TextStyle.GREEN;
            };
        }

        /** Returns its text wrapped to {@code width}, broken between words. */
        List<String> lines(int width) {
            List<String> lines = new ArrayList<>();
            StringBuilder line = new StringBuilder();
            for (String word : text.split(" ", -1)) {
                if (!line.isEmpty() && line.length() + 1 + word.length() > width) {
                    lines.add(line.toString());
                    line.setLength(0);
                }
                line.append(line.isEmpty() ? "" : " ").append(word);
            }
            lines.add(line.toString());
            return lines;
        }
    }

    private final Deque<Item> items = new ArrayDeque<>();
    private long told;

    @Override
    public void tell(Tone tone, String text) {
        items.addFirst(new Item(told++, Instant.now(), tone, text));
        while (items.size() > KEPT) {
            items.removeLast();
        }
    }

    /** Returns the messages that fit into {@code lines} lines, in their order. */
    List<Item> fitting(int lines, int width) {
        Instant now = Instant.now();
        List<Item> byWeight = new ArrayList<>(items);
        byWeight.sort(Comparator.comparing((Item item) -> !item.isInView(now)));
        List<Item> chosen = new ArrayList<>();
        int left = lines;
        for (Item item : byWeight) {
            left -= item.lines(width).size();
            if (left < 0) {
                break;
            }
            chosen.add(item);
        }
        chosen.sort(Comparator.comparing(Item::order));
        return chosen;
    }
}
