package dev.dormouse.examples.demo;

import java.util.Locale;

/** The workflow ids of orders, and their numbers. */
final class Orders {
    static final String TYPE = "Order";

    private static final String PREFIX = "order-";

    private Orders() {}

    static String idOf(int number) {
        return PREFIX + String.format(Locale.ROOT, "%04d", number);
    }

    static int numberOf(String workflowId) {
        return Integer.parseInt(workflowId.substring(PREFIX.length()));
    }

    static boolean isOrder(String workflowId) {
        return workflowId.startsWith(PREFIX);
    }
}
