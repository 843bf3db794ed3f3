package dev.dormouse.examples.orders;

import java.util.List;
import java.util.Map;

/** The activities of the pipeline. */
public interface Shop {

    /** Reserves the items of an order. Returns its number and its total. */
    Map<String, Object> reserve(Map<String, Object> order);

    /** Releases a reservation. */
    void release(String number);

    /** Packs one item. Returns its parcel. */
    String pack(String item);

    /** Asks a person to approve, who needs the token for that. */
    void ask(Map<String, Object> question);

    /** Sends the parcels of an order. */
    String ship(Parcels parcels);

    /** The parcels of an order. */
    record Parcels(String number, List<String> parcels) {}
}
