package dev.dormouse.examples.demo;

import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.store.Store;
import dev.dormouse.store.StoreConfig;
import dev.dormouse.store.StoreProvider;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * A process that executes orders, shows the dashboard and obeys its parent. It ends with its parent, however that ended: then
 * the pipe from it ends.
 */
final class Worker {
    private Worker() {}

    public static void main(String[] args) throws IOException {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        Settings settings = Wire.value(input.readLine(), Settings.class);
        try {
            work(settings, input);
        } catch (DormouseException problem) {
            say(Wire.Word.GIVE_UP, String.valueOf(problem.getMessage()));
            Runtime.getRuntime().halt(1);
        }
    }

    private static void work(Settings settings, BufferedReader input) throws IOException {
        Inventory inventory = inventory(settings);
        HeldThreads threads = new HeldThreads();
        Witness witness = new Witness();
        try (Dormouse dormouse = open(settings, threads, witness);
                Reporter reporter = new Reporter(dormouse, threads, witness)) {
            say(Wire.Word.READY, inventory);
            reporter.start();
            try (Dashboard dashboard = new Dashboard(dormouse, settings.port())) {
                obey(new Clerk(dormouse, settings.pace()), input);
            }
        }
    }

    private static void obey(Clerk clerk, BufferedReader input) throws IOException {
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            Wire.Message message = Wire.read(line).orElseThrow();
            if (message.word() == Wire.Word.STOP) {
                return;
            }
            clerk.obey(message);
        }
        Runtime.getRuntime().halt(1); // the parent is no more
    }

    /** Looks before it opens the store for work: from then on, what is there changes. */
    private static Inventory inventory(Settings settings) {
        if (settings.isSqlite() && !Files.exists(Path.of(settings.store().substring("sqlite:".length())))) {
            return Inventory.EMPTY;
        }
        try (Dormouse dormouse = Dormouse.builder()
                .store(settings.store())
                .schema(settings.schema())
                .readOnly()
                .open()) {
            return new OrderReader(dormouse).inventory(new Ledger(settings.path()), Instant.now());
        } catch (DormouseException problem) {
            if (problem.code() == ErrorCode.SCHEMA_MISSING) {
                return Inventory.EMPTY;
            }
            throw problem;
        }
    }

    private static Dormouse open(Settings settings, HeldThreads threads, Witness witness) {
        DormouseBuilder builder = Dormouse.builder()
                .workflow(Order.class, OrderWorkflow::new)
                .activities(Shop.class, new BusyShop(new Ledger(settings.path())))
                .name("worker " + settings.name())
                .monitor(witness)
                .maxTakeovers(Settings.MANY) // here it is not the orders that kill their workers
                .leasePeriod(Settings.LEASE)
                .sweepInterval(Settings.SWEEP)
                .parkAtMost(Duration.ZERO); // by default waits of up to 5 s keep their thread; here all are but rows
        return builder.open(store(settings), threads, new SecureRandom());
    }

    private static Store store(Settings settings) {
        StoreProvider provider = ServiceLoader.load(StoreProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(one -> one.accepts(settings.store()))
                .findFirst()
                .orElseThrow();
        return provider.open(new StoreConfig(
                settings.store(), Optional.empty(), settings.schema(), 1, true, InstantSource.system()));
    }

    static void say(Wire.Word word, Object value) {
        String line = Wire.line(word, value);
        synchronized (System.out) {
            System.out.println(line);
        }
    }
}
