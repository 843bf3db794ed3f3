package dev.dormouse.examples.demo;

import dev.dormouse.examples.trial.Mail;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/** Writes mails to a file instead of sending them, one line each: so that it can be seen how often each was sent. */
final class MailFile implements Mail {
    private final Path file;

    MailFile(Path folder) {
        file = folder.resolve("mails.txt");
    }

    @Override
    public void welcome(String user) {
        send("welcome, " + user);
    }

    @Override
    public void trialIsOver(String user) {
        send("your trial is over, " + user);
    }

    private void send(String mail) {
        Worker.say("Step: sends the mail \"" + mail + "\".");
        String line = line(ProcessHandle.current().pid(), mail);
        try {
            Files.writeString(file, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String line(long pid, String mail) {
        return "process " + pid + " sent \"" + mail + "\"";
    }

    /** All lines: who sent which mail. */
    List<String> lines() throws IOException {
        return Files.readAllLines(file);
    }
}
