package dev.dormouse.examples.kotlin

import dev.dormouse.ActivityInterface
import dev.dormouse.SignalMethod
import dev.dormouse.Workflow
import dev.dormouse.WorkflowInterface
import dev.dormouse.WorkflowMethod
import java.time.Duration

/** An approval with reminders. */
@WorkflowInterface
interface Approval {
    @WorkflowMethod
    fun request(subject: String, patience: Duration): String

    @SignalMethod
    fun approve(by: String)
}

@ActivityInterface
interface ApprovalMail {
    fun remind(subject: String, number: Int)
}

class ApprovalWorkflow : Approval {
    private val mail = Workflow.activities(ApprovalMail::class.java)
    private var approver: String? = null

    override fun request(subject: String, patience: Duration): String {
        for (number in 1..3) {
            if (Workflow.await(patience) { approver != null }) {
                return "APPROVED by $approver"
            }
            mail.remind(subject, number)
        }
        return "EXPIRED"
    }

    override fun approve(by: String) {
        approver = approver ?: by
    }
}
