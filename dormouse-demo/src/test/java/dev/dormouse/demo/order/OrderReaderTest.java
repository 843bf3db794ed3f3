package dev.dormouse.demo.order;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OrderReaderTest {
    private static final int MORE_THAN_A_PAGE = 120;

    private final Dormouse dormouse = Dormouse.builder()
            .store("sqlite::memory:")
            .workflow(OrderIds.TYPE, Boolean.class, String.class, (ctx, isPatient) -> {
                if (isPatient) {
                    ctx.sleep(Duration.ofDays(1));
                }
                return "";
            })
            .open();
    private final OrderReader reader = new OrderReader(dormouse);

    @AfterEach
    void close() {
        dormouse.close();
    }

    @Test
    void oldOpenOrderAndItsEndAreSeen() {
        start(OrderIds.idOf(1), true);
        for (int number = 2; number <= MORE_THAN_A_PAGE; number++) {
            start(OrderIds.idOf(number), false);
        }
        assertThat(first()).map(OrderView::isOpen).contains(true);
        dormouse.find(OrderIds.idOf(1), String.class).orElseThrow().terminate("enough");
        assertThat(first()).map(OrderView::state).contains(OrderView.State.CALLED_OFF);
        assertThat(first()).isEmpty();
    }

    @Test
    void runWithAnotherNameIsNotAnOrder() {
        start("order-ada", true);
        start("by-hand", true);
        start(OrderIds.idOf(7), true);
        assertThat(reader.latest()).extracting(OrderView::number).containsExactly(7);
        assertThat(reader.all()).hasSize(1);
    }

    private void start(String id, boolean isPatient) {
        var unused = dormouse.start(OrderIds.TYPE, id, String.class, isPatient);
    }

    private Optional<OrderView> first() {
        return reader.latest().stream().filter(order -> order.number() == 1).findFirst();
    }
}
