package dev.dormouse.examples.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.WorkflowHandle;
import dev.dormouse.examples.parcel.Parcel;
import dev.dormouse.examples.parcel.ParcelWorkflow;
import dev.dormouse.examples.parcel.Shop;
import dev.dormouse.testing.TestDormouse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Restarts with new code and slow steps. docs/testing.md quotes this. */
class DeploymentTest {
    /** A fake that takes a while and records its calls. */
    static class SlowShop implements Shop {
        final List<String> done = new ArrayList<>();
        TestDormouse test;

        @Override
        public void insure(String order) {
            done.add("insure");
        }

        @Override
        public void ship(String order) {
            done.add("ship");
            test.advance(Duration.ofMinutes(10));
        }

        @Override
        public void askForReview(String order) {
            done.add("review");
        }
    }

    @Test
    void parcelContinuesWithNewCode() {
        SlowShop shop = new SlowShop();
        try (TestDormouse test =
                TestDormouse.open(builder -> builder.workflow(Parcel.class, SavedHistoryTest.FirstParcel::new)
                        .activities(Shop.class, shop))) {
            shop.test = test;
            Parcel parcel = test.dormouse().workflow(Parcel.class, "parcel-7");
            test.dormouse().start(() -> parcel.deliver("order-7"));
            test.advance(Duration.ofDays(1));

            test.restart(builder -> builder.workflow(Parcel.class, () -> new ParcelWorkflow(Duration.ofDays(3)))
                    .activities(Shop.class, shop));

            WorkflowHandle<Void> handle =
                    test.dormouse().find("parcel-7", Void.class).orElseThrow();
            handle.result();
            assertThat(shop.done).containsExactly("ship", "review");
        }
    }

    @Test
    void stepInFlightRunsAgain() {
        SlowShop shop = new SlowShop();
        try (TestDormouse test = TestDormouse.open(
                builder -> builder.workflow(Parcel.class, () -> new ParcelWorkflow(Duration.ofDays(3)))
                        .activities(Shop.class, shop))) {
            shop.test = test;
            Parcel parcel = test.dormouse().workflow(Parcel.class, "parcel-7");
            test.dormouse().start(() -> parcel.deliver("order-7"));
            test.advance(Duration.ofMinutes(5));

            test.restart();

            test.dormouse().find("parcel-7", Void.class).orElseThrow().result();
            assertThat(shop.done).containsExactly("insure", "ship", "ship", "review");
        }
    }
}
