package dev.dormouse.demo.order;

import java.time.Duration;
import java.util.List;

/**
 * The plan of an order, which is the input of its workflow. It is derived from the order's number, so that every demo
 * is alike.
 *
 * @param refusals how often the card is refused before it is charged
 * @param work the duration of each step
 * @param approval how long the order waits for an approval before it is shipped anyway
 * @param delivery the duration of the delivery
 */
public record Plan(String item, long cents, int refusals, Duration work, Duration approval, Duration delivery) {

    static final Duration BACK_OFF = Duration.ofSeconds(2);

    private static final List<String> ITEMS = List.of(
            "teapot", "kite", "lamp", "sled", "atlas", "drum", "boots", "quilt", "globe", "flute", "rug", "clock",
            "tent", "vase", "skates", "mirror", "basket", "compass", "hammock", "violin");

    /** The speed of the demo: slow enough to watch, or fast for a pipe. */
    public enum Pace {
        EYE(400, 1_200, 1_500, 6_000, 14_000, 6_000, 12_000),
        PIPE(20, 500, 900, 4_000, 4_000, 2_000, 3_000);

        private final int betweenStarts;
        private final int work;
        private final int workSpread;
        private final int approval;
        private final int approvalSpread;
        private final int delivery;
        private final int deliverySpread;

        Pace(
                int betweenStarts,
                int work,
                int workSpread,
                int approval,
                int approvalSpread,
                int delivery,
                int deliverySpread) {
            this.betweenStarts = betweenStarts;
            this.work = work;
            this.workSpread = workSpread;
            this.approval = approval;
            this.approvalSpread = approvalSpread;
            this.delivery = delivery;
            this.deliverySpread = deliverySpread;
        }

        public Duration betweenStarts() {
            return Duration.ofMillis(betweenStarts);
        }
    }

    public static Plan of(int number, Pace pace) {
        return new Plan(
                ITEMS.get(number % ITEMS.size()),
                1_000 + number * 137L % 9_000,
                number % 4 == 2 ? 1 + number / 4 % 2 : 0,
                Duration.ofMillis(pace.work + spread(number, 7_919, pace.workSpread)),
                Duration.ofMillis(pace.approval + spread(number, 104_729, pace.approvalSpread)),
                Duration.ofMillis(pace.delivery + spread(number, 1_299_709, pace.deliverySpread)));
    }

    /** Returns a number from 0 to below {@code limit} that looks random. */
    private static long spread(int number, long prime, int limit) {
        return number * prime % limit;
    }
}
