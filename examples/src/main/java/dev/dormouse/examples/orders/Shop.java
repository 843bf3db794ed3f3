package dev.dormouse.examples.orders;

import java.util.List;
import java.util.Map;

/** What the steps of the pipeline call. */
public interface Shop {

    /** Reserves the items of an order; tells its number and its sum. */
    Map<String, Object> reserve(Map<String, Object> order);

    /** Gives back what was reserved. */
    void release(String number);

    /** Packs one item; tells which parcel it is in. */
    String pack(String item);

    /** Asks somebody to approve, who needs the token for that. */
    void ask(Map<String, Object> question);

    /** Sends the parcels of an order. */
    String ship(Parcels parcels);

    /** The parcels of an order. */
    record Parcels(String number, List<String> parcels) {}
}
