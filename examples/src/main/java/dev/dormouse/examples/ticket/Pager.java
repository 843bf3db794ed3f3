package dev.dormouse.examples.ticket;

import dev.dormouse.ActivityInterface;

/** A pager for people. */
@ActivityInterface
public interface Pager {
    void page(String who, String ticket);
}
