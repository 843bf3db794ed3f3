package dev.dormouse.examples.digest;

import dev.dormouse.ActivityInterface;
import java.util.List;

/** A mail service. */
@ActivityInterface(name = "digest.Mail")
public interface Mail {
    void send(String reader, List<String> comments);
}
