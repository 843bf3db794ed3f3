package dev.dormouse.examples.demo;

import dev.dormouse.ActivityInterface;
import java.util.List;

/** What an {@link Order} has done by the world outside. */
@ActivityInterface
public interface Shop {
    /** All of it, in the order in which it is done. */
    List<String> STEPS = List.of("Shop.reserve", "Shop.charge", "Shop.ship", "Shop.survey");

    void reserve(Plan plan);

    /** How much was charged, in cents. */
    long charge(Plan plan);

    void ship(Plan plan);

    void survey(Plan plan);
}
