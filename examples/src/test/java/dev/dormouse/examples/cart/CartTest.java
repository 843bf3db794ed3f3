package dev.dormouse.examples.cart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.UpdateFailedException;
import dev.dormouse.testing.DormouseExtension;
import dev.dormouse.testing.TestDormouse;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class CartTest {
    private boolean catalogueFails;

    @RegisterExtension
    final DormouseExtension kit = DormouseExtension.of(
            builder -> builder.workflow(Cart.class, CartWorkflow::new).activities(Catalogue.class, this::price));

    private Cart cart;
    private WorkflowHandle<String> handle;

    private int price(String article) {
        if (catalogueFails) {
            catalogueFails = false;
            throw new IllegalStateException("no catalogue");
        }
        return 100;
    }

    @BeforeEach
    void start(TestDormouse test) {
        cart = test.dormouse().workflow(Cart.class, "cart");
        handle = test.dormouse().start(() -> cart.shop(Duration.ofHours(1)));
    }

    @Test
    void repeatedRequestCountsOnce(TestDormouse test) {
        Duration patience = Duration.ofSeconds(10);
        assertThat(handle.updateOnce("r1", patience, "add", Integer.class, "lamp", 2))
                .isEqualTo(200);
        WorkflowHandle<String> again = test.restart().handle("cart", String.class);
        assertThat(again.updateOnce("r1", patience, "add", Integer.class, "lamp", 2))
                .isEqualTo(200);
        Cart same = test.dormouse().workflow(Cart.class, "cart");
        assertThat(same.articles()).isEqualTo(Map.of("lamp", 2));
        assertThat(same.checkOut()).isEqualTo(200);
        assertThat(again.result()).isEqualTo("ORDERED {lamp=2} for 200");
    }

    @Test
    void invalidChangeIsRefusedAndChangesNothing() {
        assertThatThrownBy(() -> cart.add("lamp", 0)).isInstanceOf(UpdateFailedException.class);
        assertThatThrownBy(() -> cart.checkOut()).hasMessageContaining("The cart is empty");
        assertThat(cart.articles()).isEmpty();
    }

    @Test
    void changesThatWaitForAPriceDoNotMix(TestDormouse test) {
        catalogueFails = true; // the first change waits for a second attempt while the next arrives
        CompletableFuture<Integer> first = handle.updateAsync("add", Integer.class, "lamp", 1);
        CompletableFuture<Integer> second = handle.updateAsync("add", Integer.class, "chair", 1);
        test.advance(Duration.ofSeconds(5));
        assertThat(first.join()).isEqualTo(100);
        assertThat(second.join()).isEqualTo(200);
    }

    @Test
    void everyChangeKeepsTheCartForAnotherHour(TestDormouse test) {
        test.advance(Duration.ofMinutes(50));
        cart.add("lamp", 1);
        assertThat(handle.result()).isEqualTo("EXPIRED");
        assertThat(test.elapsed()).isEqualTo(Duration.ofMinutes(110));
    }
}
