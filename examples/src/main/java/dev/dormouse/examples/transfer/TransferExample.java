package dev.dormouse.examples.transfer;

import dev.dormouse.Dormouse;

/** A program that transfers 300 cents, and repeats the request. Argument: the store. */
public final class TransferExample {
    private TransferExample() {}

    public static void main(String[] args) {
        Accounts accounts = new Accounts();
        try (Dormouse dormouse = Dormouse.builder()
                .store(args.length > 0 ? args[0] : "sqlite::memory:")
                .workflow(Transfer.class, () -> new TransferWorkflow(accounts))
                .workflow("open-accounts", String.class, String.class, (ctx, bank) -> {
                    ctx.transaction("open", accounts::open);
                    return bank + " is open";
                })
                .open()) {
            dormouse.start("open-accounts", "open-accounts", String.class, "the bank")
                    .result();
            for (int request = 0; request < 2; request++) { // the same workflow id: one transfer
                Transfer transfer = dormouse.workflow(Transfer.class, "transfer-4711");
                System.out.println("Ada has " + transfer.transfer("ada", "bob", 300) + " cents left.");
            }
        }
    }
}
