package dev.dormouse.testing.releases;

import dev.dormouse.ActivityInterface;

@ActivityInterface
interface Desk {
    String greet(Booking.Guest guest);

    String reserve(int rooms);

    void break_();

    class Implementation implements Desk {
        @Override
        public String greet(Booking.Guest guest) {
            return "Hello " + guest.name();
        }

        @Override
        public String reserve(int rooms) {
            return rooms + " reserved";
        }

        @Override
        public void break_() {
            throw new IllegalStateException("broken");
        }
    }
}
