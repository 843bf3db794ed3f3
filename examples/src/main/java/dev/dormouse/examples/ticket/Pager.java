package dev.dormouse.examples.ticket;

import dev.dormouse.ActivityInterface;

/** Wakes people up. */
@ActivityInterface
public interface Pager {
    void page(String who, String ticket);
}
