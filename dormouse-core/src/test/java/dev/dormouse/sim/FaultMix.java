package dev.dormouse.sim;

import dev.dormouse.testing.sim.FaultInjector.Fault;
import dev.dormouse.testing.sim.FaultProfile;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/** The faults that an {@link EngineWorld} injects. */
enum FaultMix {
    /** No faults. */
    CALM(Duration.ofSeconds(3), FaultProfile.CALM, Set.of()),
    /** No faults, but high latency, so that many operations overlap. */
    SLOW(Duration.ofMillis(2400), slow(), Set.of()),
    /** Connections break often, and requests may arrive late. */
    FLAKY(
            Duration.ofSeconds(3),
            FaultProfile.CALM.withUnknown(0.2).withCrashes(0.002).lastingUpTo(Duration.ofSeconds(3)),
            EnumSet.of(Fault.KILL)),
    /** All faults except failovers: the store keeps everything that it confirmed. */
    HOSTILE(
            Duration.ofSeconds(3),
            FaultProfile.HOSTILE.lastingUpTo(Limits.LONGEST),
            EnumSet.complementOf(EnumSet.of(Fault.FAILOVER))),
    /** Nodes die repeatedly right after they have claimed a run, before its code begins. */
    CRASH_LOOP(Duration.ofSeconds(3), FaultProfile.CALM, EnumSet.of(Fault.KILL)),
    /** All faults. */
    CRUEL(Duration.ofSeconds(3), FaultProfile.HOSTILE.lastingUpTo(Limits.LONGEST), EnumSet.allOf(Fault.class));

    final Duration lease;
    final FaultProfile profile;
    final Set<Fault> faults;

    FaultMix(Duration lease, FaultProfile profile, Set<Fault> faults) {
        this.lease = lease;
        this.profile = profile;
        this.faults = faults;
    }

    /** Returns true if no fault can make a node lose a run or repeat a step. */
    boolean isHarmless() {
        return faults.isEmpty();
    }

    /** Constants for the enum values, which cannot use constants of their own enum. */
    static final class Limits {
        static final Duration LONGEST = Duration.ofSeconds(9);

        private Limits() {}
    }

    private static FaultProfile slow() {
        Duration latency = Duration.ofMillis(300);
        return new FaultProfile(latency, 0, 0, 0, 0, Duration.ofSeconds(1), 0, 0, latency);
    }
}
