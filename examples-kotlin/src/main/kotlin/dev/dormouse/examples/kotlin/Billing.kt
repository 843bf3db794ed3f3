package dev.dormouse.examples.kotlin

import dev.dormouse.ActivityInterface
import dev.dormouse.QueryMethod
import dev.dormouse.SignalMethod
import dev.dormouse.Workflow
import dev.dormouse.WorkflowInit
import dev.dormouse.WorkflowInterface
import dev.dormouse.WorkflowMethod
import java.time.Duration
import java.time.Instant

/** A subscription that is charged once per period, until it is cancelled. */
@WorkflowInterface
interface Billing {
    @WorkflowMethod
    fun run(state: BillingState): Int

    @SignalMethod
    fun cancel()

    @QueryMethod
    fun paid(): Int
}

/** A record, so that it can be stored as JSON without a module for Kotlin. */
@JvmRecord
data class BillingState(val customer: String, val price: Int, val period: Duration, val next: Instant, val paid: Int)

@ActivityInterface
interface BillingBank {
    fun charge(customer: String, cents: Int)
}

class BillingWorkflow : Billing {
    private val bank = Workflow.activities(BillingBank::class.java)
    private var paid = 0
    private var cancelled = false

    @WorkflowInit
    fun init(state: BillingState) {
        paid = state.paid
    }

    override fun run(state: BillingState): Int {
        var next = state.next
        repeat(12) {
            if (Workflow.await(next) { cancelled } || cancelled) { // also if the charge is overdue
                return paid
            }
            bank.charge(state.customer, state.price)
            paid += state.price
            next = next.plus(state.period)
        }
        if (cancelled) { // during the last charge: the next run would not know
            return paid
        }
        return Workflow.continueAsNew(Billing::class.java).run(state.copy(next = next, paid = paid))
    }

    override fun cancel() {
        cancelled = true
    }

    override fun paid() = paid
}
