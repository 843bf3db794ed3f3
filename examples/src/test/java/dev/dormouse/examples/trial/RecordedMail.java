package dev.dormouse.examples.trial;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Records mails instead of sending them. */
public final class RecordedMail implements Mail {
    private final List<String> sent = new CopyOnWriteArrayList<>();

    @Override
    public void welcome(String user) {
        sent.add("welcome " + user);
    }

    @Override
    public void trialIsOver(String user) {
        sent.add("over " + user);
    }

    public List<String> sent() {
        return sent;
    }
}
