package dev.dormouse.demo.order;

import java.util.Locale;
import java.util.regex.Pattern;

/** The workflow ids of orders, and their numbers. */
public final class OrderIds {
    public static final String TYPE = "Order";

    private static final String PREFIX = "order-";
    private static final Pattern ID = Pattern.compile(PREFIX + "\\d{4,9}");

    private OrderIds() {}

    public static String idOf(int number) {
        return PREFIX + String.format(Locale.ROOT, "%04d", number);
    }

    public static int numberOf(String workflowId) {
        return Integer.parseInt(workflowId.substring(PREFIX.length()));
    }

    /** Returns true for an order of the demo, false for a run started in the dashboard under another name. */
    public static boolean isOrder(String workflowId) {
        return ID.matcher(workflowId).matches();
    }
}
