package dev.dormouse.examples.trial;

/** A mail service that prints mails instead of sending them. */
public final class ConsoleMail implements Mail {
    @Override
    public void welcome(String user) {
        System.out.println("To " + user + ": welcome! Your trial has begun.");
    }

    @Override
    public void trialIsOver(String user) {
        System.out.println("To " + user + ": your trial is over.");
    }
}
