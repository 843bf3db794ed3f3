package dev.dormouse.examples.polling;

import dev.dormouse.Dormouse;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A program that looks three times before the file is ready. Arguments: the store, and the interval, such as
 * {@code PT10M}.
 */
public final class ExportExample {
    private ExportExample() {}

    public static void main(String[] args) {
        Duration interval = args.length > 1 ? Duration.parse(args[1]) : Duration.ofMillis(100);
        try (Dormouse dormouse = Dormouse.builder()
                .store(args.length > 0 ? args[0] : "sqlite::memory:")
                .workflow(Export.class, ExportWorkflow::new)
                .activities(Warehouse.class, new PollingWarehouse(new SlowJobs(), interval))
                .open()) {
            Export export = dormouse.workflow(Export.class, "export-orders");
            System.out.println("The file is " + export.export("orders") + ".");
        }
    }

    private static final class SlowJobs implements PollingWarehouse.Jobs {
        private final AtomicInteger looks = new AtomicInteger();

        @Override
        public String begin(String table, String key) {
            return "job-" + table;
        }

        @Override
        public String look(String job) {
            String state = looks.incrementAndGet() < 3 ? "RUNNING" : job + ".csv";
            System.out.println("Looked: " + state);
            return state;
        }
    }
}
