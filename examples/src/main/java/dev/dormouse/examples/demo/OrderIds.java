package dev.dormouse.examples.demo;

import java.util.Locale;
import java.util.regex.Pattern;

/** The workflow ids of orders, and their numbers. */
final class OrderIds {
    static final String TYPE = "Order";

    private static final String PREFIX = "order-";
    private static final Pattern ID = Pattern.compile(PREFIX + "\\d{4,9}");

    private OrderIds() {}

    static String idOf(int number) {
        return PREFIX + String.format(Locale.ROOT, "%04d", number);
    }

    static int numberOf(String workflowId) {
        return Integer.parseInt(workflowId.substring(PREFIX.length()));
    }

    /** Returns true for an order of the demo, false for a run started in the dashboard under another name. */
    static boolean isOrder(String workflowId) {
        return ID.matcher(workflowId).matches();
    }
}
