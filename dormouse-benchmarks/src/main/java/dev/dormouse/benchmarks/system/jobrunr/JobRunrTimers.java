package dev.dormouse.benchmarks.system.jobrunr;

import dev.dormouse.benchmarks.database.BenchDatabase;
import dev.dormouse.benchmarks.load.ParallelThreads;
import dev.dormouse.benchmarks.system.Contender;
import dev.dormouse.benchmarks.system.TimerEngine;
import java.time.Instant;
import java.util.List;
import java.util.function.IntConsumer;
import org.jobrunr.jobs.lambdas.JobRequest;
import org.jobrunr.jobs.lambdas.JobRequestHandler;

/** JobRunr jobs scheduled for an instant. They are enqueued at the last poll before it, so up to 5 s early. */
public final class JobRunrTimers implements TimerEngine {
    private final Handler handler = new Handler();
    private final JobServer server;

    private JobRunrTimers(BenchDatabase database) {
        this.server = new JobServer(database, new OneHandler(handler), List.of());
    }

    static JobRunrTimers open(BenchDatabase database) {
        return new JobRunrTimers(database);
    }

    @Override
    public void start(IntConsumer fired) {
        handler.fired = fired;
        server.start();
    }

    @Override
    public void set(int first, List<Instant> due) throws Exception {
        ParallelThreads.each(
                Contender.CONNECTIONS, due.size(), i -> server.scheduler().schedule(due.get(i), new Fire(first + i)));
    }

    @Override
    public int setsPerSecond() {
        return 1_000;
    }

    @Override
    public void close() {
        server.close();
    }

    /** A job. */
    public static final class Fire implements JobRequest {
        private int number;

        /** For Jackson. */
        Fire() {}

        Fire(int number) {
            this.number = number;
        }

        public int getNumber() {
            return number;
        }

        @Override
        public Class<Handler> getJobRequestHandler() {
            return Handler.class;
        }
    }

    /** The handler of the job. */
    public static final class Handler implements JobRequestHandler<Fire> {
        private volatile IntConsumer fired = number -> {};

        @Override
        public void run(Fire fire) {
            fired.accept(fire.getNumber());
        }
    }
}
