package dev.dormouse.examples.parcel;

import dev.dormouse.ActivityInterface;

/** What the shop does for an order. */
@ActivityInterface
public interface Shop {
    void insure(String order);

    void ship(String order);

    void askForReview(String order);
}
