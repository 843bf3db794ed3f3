package dev.dormouse.examples.encryption;

import dev.dormouse.Dormouse;
import java.time.Duration;
import java.util.Map;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/** A program that stores everything encrypted. Argument: the store. */
public final class PrescriptionExample {
    private PrescriptionExample() {}

    public static void main(String[] args) {
        SecretKey key = new SecretKeySpec(new byte[32], "AES"); // for the example; yours comes from a key store
        try (Dormouse dormouse = Dormouse.builder()
                .store(args.length > 0 ? args[0] : "sqlite::memory:")
                .codec(new EncryptingCodec(Map.of("2030", key), "2030"))
                .workflow(Prescription.class, PrescriptionWorkflow::new)
                .open()) {
            Prescription prescription = dormouse.workflow(Prescription.class, "prescription-1");
            System.out.println(prescription.dispense("ada", "aspirin", Duration.ofMillis(100)) + ".");
            dormouse.handle("prescription-1").history().forEach(System.out::println); // names, but no content
        }
    }
}
