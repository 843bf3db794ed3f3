package dev.dormouse.examples.cart;

import dev.dormouse.Dormouse;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.UpdateFailedException;
import java.time.Duration;

/** A program that fills a cart and orders it. Argument: the store. */
public final class CartExample {
    private CartExample() {}

    public static void main(String[] args) {
        try (Dormouse dormouse = Dormouse.builder()
                .store(args.length > 0 ? args[0] : "sqlite::memory:")
                .workflow(Cart.class, CartWorkflow::new)
                .activities(Catalogue.class, article -> article.length() * 100)
                .open()) {
            Cart cart = dormouse.workflow(Cart.class, "cart-ada");
            WorkflowHandle<String> handle = dormouse.start(() -> cart.shop(Duration.ofHours(1)));
            System.out.println("Total: " + cart.add("lamp", 2));
            for (int attempt = 0; attempt < 2; attempt++) { // the client repeats a request: one chair
                handle.updateOnce("request-2", Duration.ofSeconds(10), "add", Integer.class, "chair", 1);
            }
            try {
                cart.add("table", 0);
            } catch (UpdateFailedException refused) {
                System.out.println("Refused: " + refused.failure().getMessage());
            }
            System.out.println("Total: " + cart.checkOut());
            System.out.println(handle.result());
        }
    }
}
