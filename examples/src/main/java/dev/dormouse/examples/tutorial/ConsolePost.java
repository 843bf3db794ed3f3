package dev.dormouse.examples.tutorial;

/** A postal service that prints letters instead of sending them. */
public class ConsolePost implements Post {
    @Override
    public void send(String customer, String letter) {
        System.out.println("To " + customer + ": " + letter);
    }
}
