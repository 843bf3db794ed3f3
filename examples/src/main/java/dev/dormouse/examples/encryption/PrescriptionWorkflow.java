package dev.dormouse.examples.encryption;

import dev.dormouse.Workflow;
import java.time.Duration;

/** A workflow that knows nothing of the encryption. */
public class PrescriptionWorkflow implements Prescription {
    @Override
    public String dispense(String patient, String drug, Duration delivery) {
        String parcel = Workflow.step("pack", String.class, () -> "a parcel with " + drug);
        Workflow.sleep(delivery);
        return patient + " received " + parcel;
    }
}
