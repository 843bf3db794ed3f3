package dev.dormouse.examples.trial;

import dev.dormouse.ActivityInterface;

/** The mails of a trial. Each call by a workflow is a step: once its result is stored, it is never repeated. */
@ActivityInterface
public interface Mail {
    void welcome(String user);

    void trialIsOver(String user);
}
