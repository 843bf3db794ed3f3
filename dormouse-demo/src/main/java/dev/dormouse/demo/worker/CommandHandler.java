package dev.dormouse.demo.worker;

import dev.dormouse.Dormouse;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.demo.base.DemoTexts;
import dev.dormouse.demo.order.Order;
import dev.dormouse.demo.order.OrderIds;
import dev.dormouse.demo.order.Plan;
import dev.dormouse.error.DormouseException;
import dev.dormouse.inspect.WaitDescription;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;

/**
 * The executor of the parent's commands, one after the other on its own thread, so that the main thread notices the end
 * of the parent.
 */
final class CommandHandler {
    private final Dormouse dormouse;
    private final Plan.Pace pace;
    private final Executor desk = Executors.newSingleThreadExecutor(CommandHandler::daemon);

    CommandHandler(Dormouse dormouse, Plan.Pace pace) {
        this.dormouse = dormouse;
        this.pace = pace;
    }

    private static Thread daemon(Runnable body) {
        Thread thread = new Thread(body, "clerk");
        thread.setDaemon(true);
        return thread;
    }

    void obey(PipeProtocol.Message message) {
        desk.execute(() -> {
            try {
                execute(message.word(), message.as(Integer.class));
            } catch (DormouseException refused) {
                PipeProtocol.say(PipeProtocol.Word.SAY, "No: " + refused.getMessage());
            }
        });
    }

    private void execute(PipeProtocol.Word word, int number) {
        switch (word) {
            case START -> start(number);
            case APPROVE -> approve(number);
            case FORWARD -> forward(number);
            default -> throw new IllegalArgumentException("Expected an order, but got " + word + ".");
        }
    }

    private void start(int number) {
        Order order = dormouse.workflow(Order.class, OrderIds.idOf(number));
        dormouse.start(() -> order.run(Plan.of(number, pace)));
    }

    private void approve(int number) {
        handle(number).signal("approve");
        PipeProtocol.say(
                PipeProtocol.Word.SAY, "Order " + number + " is approved: its signal is in the store, and woke it.");
    }

    /** Moves the end of the order's sleep to now. */
    private void forward(int number) {
        Instant now = Instant.now();
        for (WaitDescription wait : handle(number).waits()) {
            if (wait.kind() == WaitDescription.Kind.SLEEP && wait.until().isPresent()) {
                handle(number).moveWait(wait.call(), now, "demo");
                Duration left = Duration.between(now, wait.until().get());
                PipeProtocol.say(
                        PipeProtocol.Word.SAY,
                        "Order " + number + ": its sleep was moved from " + DemoTexts.left(left) + " ahead to now.");
                return;
            }
        }
        PipeProtocol.say(PipeProtocol.Word.SAY, "Order " + number + " does not sleep any more.");
    }

    private WorkflowHandle<Long> handle(int number) {
        return dormouse.find(OrderIds.idOf(number), Long.class).orElseThrow();
    }
}
