package dev.dormouse.demo.worker;

import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.demo.order.Order;
import dev.dormouse.demo.order.OrderReader;
import dev.dormouse.demo.order.OrderWorkflow;
import dev.dormouse.demo.order.Shop;
import dev.dormouse.demo.order.SimulatedShop;
import dev.dormouse.demo.order.StepLog;
import dev.dormouse.demo.order.StoreInventory;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.internal.embedded.ConfigurationAccess;
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
 * The main class of a worker process, which executes orders, serves the dashboard and obeys its parent. It ends with
 * its parent in any case, because the pipe from it ends.
 */
public final class DemoWorker {
    private DemoWorker() {}

    public static void main(String[] args) throws IOException {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        WorkerSettings settings = PipeProtocol.value(input.readLine(), WorkerSettings.class);
        try {
            work(settings, input);
        } catch (DormouseException problem) {
            PipeProtocol.say(PipeProtocol.Word.GIVE_UP, String.valueOf(problem.getMessage()));
            Runtime.getRuntime().halt(1);
        }
    }

    private static void work(WorkerSettings settings, BufferedReader input) throws IOException {
        StoreInventory inventory = inventory(settings);
        HeldThreads threads = new HeldThreads();
        ReplayMonitor replays = new ReplayMonitor();
        try (Dormouse dormouse = open(settings, threads, replays);
                WorkerReporter reporter = new WorkerReporter(dormouse, threads, replays)) {
            PipeProtocol.say(PipeProtocol.Word.READY, inventory);
            reporter.start();
            try (WorkerDashboard dashboard = new WorkerDashboard(dormouse, settings.port())) {
                obey(new CommandHandler(dormouse, settings.pace()), input);
            }
        }
    }

    private static void obey(CommandHandler handler, BufferedReader input) throws IOException {
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            PipeProtocol.Message message = PipeProtocol.read(line).orElseThrow();
            if (message.word() == PipeProtocol.Word.STOP) {
                return;
            }
            handler.obey(message);
        }
        Runtime.getRuntime().halt(1); // the parent has ended
    }

    /** Reads the inventory before the store is opened for work, which changes it. */
    private static StoreInventory inventory(WorkerSettings settings) {
        if (settings.isSqlite() && !Files.exists(Path.of(settings.store().substring("sqlite:".length())))) {
            return StoreInventory.EMPTY;
        }
        try (Dormouse dormouse = Dormouse.builder()
                .store(settings.store())
                .schema(settings.schema())
                .readOnly()
                .open()) {
            return new OrderReader(dormouse).inventory(new StepLog(settings.path()), Instant.now());
        } catch (DormouseException problem) {
            if (problem.code() == ErrorCode.SCHEMA_MISSING) {
                return StoreInventory.EMPTY;
            }
            throw problem;
        }
    }

    private static Dormouse open(WorkerSettings settings, HeldThreads threads, ReplayMonitor replays) {
        DormouseBuilder builder = Dormouse.builder()
                .workflow(Order.class, OrderWorkflow::new)
                .activities(Shop.class, new SimulatedShop(new StepLog(settings.path())))
                .name("worker " + settings.name())
                .monitor(replays)
                .maxTakeovers(WorkerSettings.MANY) // here the orders are not the cause of the crashes
                .leasePeriod(WorkerSettings.LEASE)
                .sweepInterval(WorkerSettings.SWEEP)
                .maxParkTime(
                        Duration.ZERO); // by default waits of up to 5 s keep their thread; here all of them are only
        // rows
        return ConfigurationAccess.open(builder, store(settings), threads, new SecureRandom());
    }

    private static Store store(WorkerSettings settings) {
        StoreProvider provider = ServiceLoader.load(StoreProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(one -> one.accepts(settings.store()))
                .findFirst()
                .orElseThrow();
        return provider.open(new StoreConfig(
                settings.store(), Optional.empty(), settings.schema(), 1, true, InstantSource.system()));
    }
}
