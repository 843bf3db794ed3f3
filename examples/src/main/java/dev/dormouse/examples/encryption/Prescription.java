package dev.dormouse.examples.encryption;

import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;
import java.time.Duration;

/** A prescription, whose content is private. */
@WorkflowInterface
public interface Prescription {
    @WorkflowMethod
    String dispense(String patient, String drug, Duration delivery);
}
