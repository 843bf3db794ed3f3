package dev.dormouse.examples.humantask;

import dev.dormouse.ActivityInterface;

/** The work of people. */
@ActivityInterface
public interface People {
    String translate(String text);
}
