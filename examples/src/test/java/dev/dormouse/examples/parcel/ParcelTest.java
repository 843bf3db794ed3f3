package dev.dormouse.examples.parcel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.dormouse.Dormouse;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.inspect.RunStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ParcelTest {
    private static final Duration JOURNEY = Duration.ofSeconds(2);

    @TempDir
    Path directory;

    private final List<String> done = new CopyOnWriteArrayList<>();

    @Test
    void openParcelContinuesWithoutInsurance() {
        try (Dormouse dormouse = open(ParcelBeforeTheChange::new)) {
            WorkflowHandle<Void> parcel = start(dormouse, "old");
            await().until(() -> parcel.describe().status() != RunStatus.RUNNING);
        }
        try (Dormouse dormouse = open(() -> new ParcelWorkflow(JOURNEY))) {
            start(dormouse, "old").result();
        }
        assertThat(done).containsExactly("ship old", "review old");
    }

    @Test
    void newParcelIsInsured() {
        try (Dormouse dormouse = open(() -> new ParcelWorkflow(Duration.ofMillis(100)))) {
            start(dormouse, "new").result();
        }
        assertThat(done).containsExactly("insure new", "ship new", "review new");
    }

    private Dormouse open(Supplier<Parcel> implementation) {
        return Dormouse.builder()
                .store("sqlite:" + directory.resolve("parcels.db"))
                .workflow(Parcel.class, implementation)
                .activities(Shop.class, new RecordingShop())
                .open();
    }

    private static WorkflowHandle<Void> start(Dormouse dormouse, String order) {
        Parcel parcel = dormouse.workflow(Parcel.class, "parcel-" + order);
        return dormouse.start(() -> parcel.deliver(order));
    }

    /** The code before the change. */
    private static final class ParcelBeforeTheChange implements Parcel {
        private final Shop shop = Workflow.activities(Shop.class);

        @Override
        public void deliver(String order) {
            shop.ship(order);
            Workflow.sleep(JOURNEY);
            shop.askForReview(order);
        }
    }

    private final class RecordingShop implements Shop {
        @Override
        public void insure(String order) {
            done.add("insure " + order);
        }

        @Override
        public void ship(String order) {
            done.add("ship " + order);
        }

        @Override
        public void askForReview(String order) {
            done.add("review " + order);
        }
    }
}
