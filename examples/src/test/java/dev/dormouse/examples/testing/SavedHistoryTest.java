package dev.dormouse.examples.testing;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dormouse.Workflow;
import dev.dormouse.examples.parcel.Parcel;
import dev.dormouse.examples.parcel.ParcelWorkflow;
import dev.dormouse.examples.parcel.Shop;
import dev.dormouse.internal.run.CodeMismatch;
import dev.dormouse.testing.DormouseExtension;
import dev.dormouse.testing.TestDormouse;
import dev.dormouse.testing.WorkflowHistories;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Saved histories replayed with the present code. docs/testing.md quotes this. */
class SavedHistoryTest {
    /** The first version of parcels, without insurance. */
    static class FirstParcel implements Parcel {
        private final Shop shop = Workflow.activities(Shop.class);

        @Override
        public void deliver(String order) {
            shop.ship(order);
            Workflow.sleep(Duration.ofDays(3));
            shop.askForReview(order);
        }
    }

    /** The change without a version. */
    static class CarelessParcel extends FirstParcel {
        private final Shop shop = Workflow.activities(Shop.class);

        @Override
        public void deliver(String order) {
            shop.insure(order);
            super.deliver(order);
        }
    }

    static class QuietShop implements Shop {
        @Override
        public void insure(String order) {}

        @Override
        public void ship(String order) {}

        @Override
        public void askForReview(String order) {}
    }

    @RegisterExtension
    final DormouseExtension kit = DormouseExtension.of(
            builder -> builder.workflow(Parcel.class, FirstParcel::new).activities(Shop.class, new QuietShop()));

    @Test
    void openParcelsContinueWithThePresentCode() {
        Path history = Path.of("src/test/resources/histories/parcel-under-way.json");
        WorkflowHistories.replay(history, Parcel.class, () -> new ParcelWorkflow(Duration.ofDays(3)));
    }

    @Test
    void changeWithoutAVersionIsFound() {
        Path file = Path.of("src/test/resources/histories/parcel-under-way.json");
        assertThatThrownBy(() -> WorkflowHistories.replay(file, Parcel.class, CarelessParcel::new))
                .isInstanceOf(CodeMismatch.class)
                .hasMessageContaining("step 'Shop.ship' completed")
                .hasMessageContaining("step 'Shop.insure'")
                .hasMessageContaining("SavedHistoryTest.java:");
    }

    @Test
    void historyIsExported(TestDormouse test, @TempDir Path folder) {
        Parcel parcel = test.dormouse().workflow(Parcel.class, "parcel-7");
        test.dormouse().start(() -> parcel.deliver("order-7"));
        test.advance(Duration.ofDays(1));

        WorkflowHistories.export(test.dormouse(), "parcel-7", folder.resolve("parcel-under-way.json"));

        WorkflowHistories.replay(folder.resolve("parcel-under-way.json"), Parcel.class, FirstParcel::new);
    }
}
