package dev.dormouse.demo.order;

import dev.dormouse.ActivityInterface;
import java.util.List;

/** The activities of an {@link Order}. */
@ActivityInterface
public interface Shop {
    /** All steps, in their order. */
    List<String> STEPS = List.of("Shop.reserve", "Shop.charge", "Shop.ship", "Shop.survey");

    void reserve(Plan plan);

    /** Returns the charged amount in cents. */
    long charge(Plan plan);

    void ship(Plan plan);

    void survey(Plan plan);
}
