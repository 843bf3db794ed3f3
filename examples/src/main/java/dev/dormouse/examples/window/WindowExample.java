package dev.dormouse.examples.window;

import dev.dormouse.Dormouse;
import java.util.Set;

/** A program that processes 40 records, 4 at a time, in runs of 10. Argument: the store. */
public final class WindowExample {
    private WindowExample() {}

    public static void main(String[] args) {
        try (Dormouse dormouse = Dormouse.builder()
                .store(args.length > 0 ? args[0] : "sqlite::memory:")
                .workflow(Window.class, () -> new WindowWorkflow(10))
                .workflow(Item.class, ItemWorkflow::new)
                .activities(Records.class, item -> System.out.println("Processed record " + item + "."))
                .open()) {
            Window window = dormouse.workflow(Window.class, "window-1");
            int processed = window.run(new Window.State(0, 40, 4, Set.of(), 0));
            System.out.println("Processed " + processed + " records.");
        }
    }
}
