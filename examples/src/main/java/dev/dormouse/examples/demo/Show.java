package dev.dormouse.examples.demo;

final class Show {
    Show(Venue venue) {}

    void run() {}
}
