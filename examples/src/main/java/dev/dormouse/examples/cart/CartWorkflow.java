package dev.dormouse.examples.cart;

import dev.dormouse.UpdatableTimer;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowInit;
import dev.dormouse.WorkflowLock;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/** Every change moves the end of the cart. */
public class CartWorkflow implements Cart {
    private final Catalogue catalogue = Workflow.activities(Catalogue.class);
    private final WorkflowLock lock = Workflow.newLock();
    private final UpdatableTimer expiry = Workflow.newUpdatableTimer();
    private final Map<String, Integer> articles = new TreeMap<>();
    private Duration idle = Duration.ZERO;
    private int total;
    private boolean ordered;

    @WorkflowInit
    void init(Duration idle) {
        this.idle = idle;
    }

    @Override
    public String shop(Duration idle) {
        boolean inTime = expiry.await(Workflow.now().plus(idle), () -> ordered);
        Workflow.awaitHandlers();
        return inTime ? "ORDERED " + articles + " for " + total : "EXPIRED";
    }

    @Override
    public void checkAdd(String article, int number) {
        if (ordered) {
            throw new IllegalStateException("The cart is ordered.");
        } else if (number < 1) {
            throw new IllegalArgumentException("Expected 1 or more, but got " + number + ".");
        }
    }

    @Override
    public int add(String article, int number) {
        expiry.updateWakeUpTime(Workflow.now().plus(idle));
        lock.run(() -> {
            int before = total;
            int price = catalogue.price(article); // other updates may come meanwhile, and wait for the lock
            total = before + number * price;
            articles.merge(article, number, Integer::sum);
        });
        return total;
    }

    @Override
    public void checkCheckOut() {
        if (articles.isEmpty()) {
            throw new IllegalStateException("The cart is empty.");
        }
    }

    @Override
    public int checkOut() {
        lock.run(() -> ordered = true);
        return total;
    }

    @Override
    public Map<String, Integer> articles() {
        return articles;
    }
}
