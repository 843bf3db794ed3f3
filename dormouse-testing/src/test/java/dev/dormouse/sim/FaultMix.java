package dev.dormouse.sim;

import dev.dormouse.testing.sim.FaultInjector.Fault;
import dev.dormouse.testing.sim.FaultProfile;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/** What kinds of things go wrong in an {@link EngineWorld}. */
enum FaultMix {
    /** Nothing goes wrong. */
    CALM(Duration.ofSeconds(3), FaultProfile.CALM, Set.of()),
    /** Nothing goes wrong, but everything takes so long that much happens at once. */
    SLOW(Duration.ofMillis(2400), slow(), Set.of()),
    /** Connections break all the time, and what was sent may arrive late. */
    FLAKY(
            Duration.ofSeconds(3),
            FaultProfile.CALM.withUnknown(0.2).withCrashes(0.002).lastingUpTo(Duration.ofSeconds(3)),
            EnumSet.of(Fault.KILL)),
    /** Everything goes wrong, but the store keeps what it confirmed. */
    HOSTILE(
            Duration.ofSeconds(3),
            FaultProfile.HOSTILE.lastingUpTo(Limits.LONGEST),
            EnumSet.complementOf(EnumSet.of(Fault.FAILOVER))),
    /** Nodes die as soon as they have claimed a run, before its code begins, again and again. */
    CRASH_LOOP(Duration.ofSeconds(3), FaultProfile.CALM, EnumSet.of(Fault.KILL)),
    /** Everything goes wrong. */
    CRUEL(Duration.ofSeconds(3), FaultProfile.HOSTILE.lastingUpTo(Limits.LONGEST), EnumSet.allOf(Fault.class));

    final Duration lease;
    final FaultProfile profile;
    final Set<Fault> faults;

    FaultMix(Duration lease, FaultProfile profile, Set<Fault> faults) {
        this.lease = lease;
        this.profile = profile;
        this.faults = faults;
    }

    /** Whether nothing happens for which a node might lose a run or repeat a step. */
    boolean isHarmless() {
        return faults.isEmpty();
    }

    /** Constants of an enum cannot be used by its own values. */
    static final class Limits {
        static final Duration LONGEST = Duration.ofSeconds(9);

        private Limits() {}
    }

    private static FaultProfile slow() {
        Duration latency = Duration.ofMillis(300);
        return new FaultProfile(latency, 0, 0, 0, 0, Duration.ofSeconds(1), 0, 0, latency);
    }
}
