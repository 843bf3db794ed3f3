package dev.dormouse.testing.sim;

import java.time.Duration;
import java.util.Random;

/**
 * The simulated outcome of one store call.
 *
 * @param there the time until the request is executed
 * @param back the time that the answer takes after that, or after it would have been executed
 */
record CallOutcome(Kind kind, Duration there, Duration back) {
    enum Kind {
        ANSWERED,
        /** The node dies before the request leaves it. */
        CRASH_BEFORE,
        /** The node dies after the request was executed. */
        CRASH_AFTER,
        /** The request never arrives. */
        REQUEST_LOST,
        /** The request is executed, but its answer never arrives. */
        ANSWER_LOST,
        /** The connection breaks first, and the request is executed afterwards. */
        LATE
    }

    static CallOutcome of(FaultProfile profile, Random random) {
        return new CallOutcome(kind(profile, random), duration(profile, random), duration(profile, random));
    }

    private static Kind kind(FaultProfile profile, Random random) {
        double dice = random.nextDouble();
        if (dice < profile.crash()) {
            return random.nextBoolean() ? Kind.CRASH_BEFORE : Kind.CRASH_AFTER;
        }
        if (dice < profile.crash() + profile.unknown()) {
            return switch (random.nextInt(3)) {
                case 0 -> Kind.REQUEST_LOST;
                case 1 -> Kind.ANSWER_LOST;
                default -> Kind.LATE;
            };
        }
        return Kind.ANSWERED;
    }

    private static Duration duration(FaultProfile profile, Random random) {
        boolean stalls = random.nextDouble() < profile.stall();
        return upTo(stalls ? profile.longest() : profile.latency(), random);
    }

    static Duration upTo(Duration longest, Random random) {
        return Duration.ofNanos((long) (random.nextDouble() * longest.toNanos()));
    }
}
