package dev.dormouse.examples.ticket;

import dev.dormouse.ActivityInterface;

/** Pages people. */
@ActivityInterface
public interface Pager {
    void page(String who, String ticket);
}
