package dev.dormouse.examples.digest;

import dev.dormouse.DebouncedTimer;
import dev.dormouse.Workflow;
import java.time.Duration;
import java.util.List;

/** A digest that is sent as a mail when there was no comment for a while. */
public class DigestWorkflow implements Digest {
    private final Mail mail = Workflow.activities(Mail.class);
    private final DebouncedTimer<String> comments;
    private final int mailsPerRun;
    private int unsent;

    public DigestWorkflow(Duration quiet, Duration limit, int mailsPerRun) {
        this.comments = Workflow.newDebouncedTimer(quiet, limit);
        this.mailsPerRun = mailsPerRun;
    }

    @Override
    public void run(String reader) {
        for (int mails = 0; mails < mailsPerRun || unsent > 0; mails++) { // comments in memory must not get lost
            List<String> batch = comments.awaitAll();
            unsent -= batch.size();
            mail.send(reader, batch);
        }
        Workflow.continueAsNew(Digest.class).run(reader); // signals that were not read go to the next run
    }

    @Override
    public void comment(String text) {
        unsent++;
        comments.touch(text);
    }
}
