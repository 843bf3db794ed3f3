package dev.dormouse.examples.cart;

import dev.dormouse.ActivityInterface;

/** The prices. */
@ActivityInterface
public interface Catalogue {
    /** Returns the price of an article in cents. */
    int price(String article);
}
