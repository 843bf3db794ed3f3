package dev.dormouse.examples.parcel;

import dev.dormouse.ActivityInterface;

/** The activities of the shop for an order. */
@ActivityInterface
public interface Shop {
    void insure(String order);

    void ship(String order);

    void askForReview(String order);
}
