package dev.dormouse.benchmarks.measure;

import com.sun.management.OperatingSystemMXBean;
import dev.dormouse.benchmarks.database.DatabaseStatistics;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The resources that this process and the database server have used, until now or between two moments.
 *
 * @param java the processor time of this process: the engine together with the load generator
 * @param server the processor time of the server's processes; empty if it is unknown
 * @param walBytes the bytes of WAL that the server has written; empty without a server
 */
public record ResourceUsage(Duration java, Optional<Duration> server, Optional<Long> walBytes) {
    private static final String SERVER_CPU = "-server-cpu";
    private static final String JAVA_CPU = "-java-cpu";
    private static final String WAL = "-wal";

    /**
     * Reads the usage until now. The values are read one after the other, always in the same order, so that the
     * differences of two usages belong to the same time even if a load is running.
     */
    public static ResourceUsage now(Optional<DatabaseStatistics> statistics) {
        Duration java = Duration.ofNanos(
                ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime());
        return new ResourceUsage(
                java,
                statistics.flatMap(DatabaseStatistics::processorTime),
                statistics.map(DatabaseStatistics::walBytes));
    }

    /** Returns the difference to an earlier usage. */
    public ResourceUsage since(ResourceUsage earlier) {
        return new ResourceUsage(
                java.minus(earlier.java),
                server.flatMap(time -> earlier.server.map(time::minus)),
                walBytes.flatMap(bytes -> earlier.walBytes.map(before -> bytes - before)));
    }

    /**
     * Returns the known values divided by {@code operations}; nothing without operations.
     *
     * @param name the name of the scenario, with which the names of the figures begin
     */
    public List<Reading> perOperation(String name, long operations) {
        if (operations == 0) {
            return List.of();
        }
        List<Reading> readings = new ArrayList<>();
        server.ifPresent(time -> readings.add(micros(name + SERVER_CPU, time, operations)));
        readings.add(micros(name + JAVA_CPU, java, operations));
        walBytes.ifPresent(
                bytes -> readings.add(new Reading(name + WAL, Unit.BYTES_PER_OPERATION, (double) bytes / operations)));
        return List.copyOf(readings);
    }

    private static Reading micros(String name, Duration time, long operations) {
        return new Reading(name, Unit.MICROS_PER_OPERATION, time.toNanos() / 1e3 / operations);
    }

    /** Returns the names of all figures that {@link #perOperation} can return. */
    public static List<String> names(String name) {
        return List.of(name + SERVER_CPU, name + JAVA_CPU, name + WAL);
    }
}
