package dev.dormouse.examples.kotlin

import dev.dormouse.ActivityInterface
import dev.dormouse.ActivityOptions
import dev.dormouse.Dormouse
import dev.dormouse.RetryPolicy
import dev.dormouse.Saga
import dev.dormouse.Workflow
import dev.dormouse.WorkflowInterface
import dev.dormouse.WorkflowMethod

/** An order whose completed steps are undone if a later one fails. */
@WorkflowInterface
interface OrderSaga {
    @WorkflowMethod
    fun order(item: String): String
}

@ActivityInterface
interface OrderDesk {
    fun reserve(item: String): String

    fun release(reservation: String)

    fun charge(item: String): String

    fun refund(payment: String)

    fun ship(item: String): String
}

class OrderSagaWorkflow : OrderSaga {
    private val desk =
        Workflow.activities(
            OrderDesk::class.java,
            ActivityOptions.DEFAULT.withRetry(RetryPolicy.DEFAULT.withMaxAttempts(3)),
        )

    override fun order(item: String): String {
        val saga = Saga()
        try {
            val reservation = desk.reserve(item)
            saga.addCompensation { desk.release(reservation) }
            val payment = desk.charge(item)
            saga.addCompensation { desk.refund(payment) }
            return desk.ship(item)
        } catch (problem: RuntimeException) { // also if the run is cancelled
            throw saga.compensateAfter(problem)
        }
    }
}

/** Orders a lamp. Argument: the store. */
fun main(args: Array<String>) {
    Dormouse.builder()
        .store(args.firstOrNull() ?: "sqlite::memory:")
        .workflow(OrderSaga::class.java) { OrderSagaWorkflow() }
        .activities(OrderDesk::class.java, ConsoleDesk())
        .open()
        .use { dormouse ->
            val saga = dormouse.workflow(OrderSaga::class.java, "order-1")
            val handle = dormouse.start { saga.order("lamp") }
            println("The lamp is ${handle.result()}.")
        }
}

private class ConsoleDesk : OrderDesk {
    override fun reserve(item: String) = "reservation of a $item".also(::println)

    override fun release(reservation: String) = println("released: $reservation")

    override fun charge(item: String) = "payment of a $item".also(::println)

    override fun refund(payment: String) = println("refunded: $payment")

    override fun ship(item: String) = "on its way"
}
