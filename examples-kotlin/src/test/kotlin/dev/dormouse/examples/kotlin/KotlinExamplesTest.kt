package dev.dormouse.examples.kotlin

import dev.dormouse.ChildHandle
import dev.dormouse.UpdateMethod
import dev.dormouse.Workflow
import dev.dormouse.WorkflowHandle
import dev.dormouse.WorkflowInterface
import dev.dormouse.WorkflowMethod
import dev.dormouse.testing.TestDormouse
import java.time.Duration
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatThrownBy
import org.junit.jupiter.api.Test

/** Lambdas must return their results with the right types: else this does not compile. */
class KotlinExamplesTest {
    private val log = mutableListOf<String>()

    @Test
    fun sagaUndoesCompletedStepsAfterACrash() {
        val desk = FailingDesk()
        TestDormouse.open { builder ->
            builder.workflow(OrderSaga::class.java) { OrderSagaWorkflow() }.activities(OrderDesk::class.java, desk)
        }.use { test ->
            val saga = test.dormouse().workflow(OrderSaga::class.java, "saga")
            val handle: WorkflowHandle<String> = test.dormouse().start { saga.order("lamp") }
            assertThat(handle.workflowId()).isEqualTo("saga")
            test.advance(Duration.ofMillis(500)) // the shipment waits for its second attempt
            test.restart()
            assertThatThrownBy { test.dormouse().handle("saga", String::class.java).result() }
                .hasStackTraceContaining("no parcels")
            assertThat(log).containsExactly("reserve", "charge", "refund", "release")
        }
    }

    @Test
    fun approvalThatComesWithTheStartNeedsNoReminder() {
        approvals().use { test ->
            val approval = test.dormouse().workflow(Approval::class.java, "approval")
            val handle: WorkflowHandle<String> =
                test.dormouse().signalWithStart({ approval.request("desk", Duration.ofDays(1)) }) {
                    approval.approve("ada")
                }
            assertThat(handle.result()).isEqualTo("APPROVED by ada")
            assertThat(log).isEmpty()
        }
    }

    @WorkflowInterface
    interface Cart {
        @WorkflowMethod
        fun shop(customer: String): Int

        @UpdateMethod
        fun add(item: String): Int

        @UpdateMethod
        fun clear()
    }

    class CartWorkflow : Cart {
        private val items = mutableListOf<String>()

        override fun shop(customer: String): Int {
            Workflow.await { items.size == 2 }
            Workflow.awaitHandlers()
            return items.size
        }

        override fun add(item: String): Int {
            items += item
            return items.size
        }

        override fun clear() {
            items.clear()
        }
    }

    @WorkflowInterface
    interface Mall {
        @WorkflowMethod
        fun open(customer: String): Int
    }

    class MallWorkflow : Mall {
        override fun open(customer: String): Int {
            val cart = Workflow.child(Cart::class.java, "cart-$customer")
            val child: ChildHandle<Int> = Workflow.startChild { cart.shop(customer) }
            child.started().get()
            return child.get()
        }
    }

    @Test
    fun updateStartsTheCartOrFindsIt() {
        TestDormouse.open { builder -> builder.workflow(Cart::class.java) { CartWorkflow() } }.use { test ->
            val cart = test.dormouse().workflow(Cart::class.java, "cart")
            val items: Int = test.dormouse().updateWithStart({ cart.shop("ada") }) { cart.add("book") }
            assertThat(items).isEqualTo(1)
            test.dormouse().updateWithStart({ cart.shop("ada") }) { cart.clear() }
            cart.add("pen")
            cart.add("paper")
            assertThat(cart.shop("ada")).isEqualTo(2)
        }
    }

    @Test
    fun handleOfAStartedChildHasItsResult() {
        TestDormouse.open { builder ->
            builder.workflow(Cart::class.java) { CartWorkflow() }.workflow(Mall::class.java) { MallWorkflow() }
        }.use { test ->
            val mall = test.dormouse().workflow(Mall::class.java, "mall")
            val handle: WorkflowHandle<Int> = test.dormouse().start { mall.open("ada") }
            test.advance(Duration.ofMinutes(1))
            val cart = test.dormouse().workflow(Cart::class.java, "cart-ada")
            cart.add("pen")
            cart.add("paper")
            assertThat(handle.result()).isEqualTo(2)
        }
    }

    @Test
    fun approvalExpiresAfterThreeReminders() {
        approvals().use { test ->
            val approval = test.dormouse().workflow(Approval::class.java, "approval")
            assertThat(approval.request("desk", Duration.ofDays(1))).isEqualTo("EXPIRED")
            assertThat(log).containsExactly("reminder 1", "reminder 2", "reminder 3")
            assertThat(test.elapsed()).isEqualTo(Duration.ofDays(3))
        }
    }

    private fun approvals(): TestDormouse {
        val mail =
            object : ApprovalMail {
                override fun remind(subject: String, number: Int) {
                    log += "reminder $number"
                }
            }
        return TestDormouse.open { builder ->
            builder.workflow(Approval::class.java) { ApprovalWorkflow() }.activities(ApprovalMail::class.java, mail)
        }
    }

    @Test
    fun billingContinuesAsNewAndSurvivesACrash() {
        val bank =
            object : BillingBank {
                override fun charge(customer: String, cents: Int) {
                    log += "charge $cents"
                }
            }
        TestDormouse.open { builder ->
            builder.workflow(Billing::class.java) { BillingWorkflow() }.activities(BillingBank::class.java, bank)
        }.use { test ->
            val month = Duration.ofDays(30)
            val billing = test.dormouse().workflow(Billing::class.java, "billing")
            test.dormouse().start { billing.run(BillingState("ada", 9, month, test.now(), 0)) }
            test.advance(month.multipliedBy(20))
            val again = test.restart().workflow(Billing::class.java, "billing")
            assertThat(again.paid()).isEqualTo(21 * 9)
            again.cancel()
            assertThat(test.dormouse().handle("billing", Int::class.javaObjectType).result()).isEqualTo(21 * 9)
            assertThat(log).hasSize(21)
        }
    }

    @Test
    fun wordsOfAllChaptersAreAdded() {
        var failures = 1
        val counter =
            object : WordCounter {
                override fun words(chapter: String): Int {
                    check(chapter != "b" || failures-- <= 0) { "try again" }
                    return chapter.length
                }
            }
        TestDormouse.open { builder ->
            builder.workflow(WordCount::class.java) { WordCountWorkflow() }.activities(WordCounter::class.java, counter)
        }.use { test ->
            val count = test.dormouse().workflow(WordCount::class.java, "count")
            assertThat(count.count(listOf("a", "b", "cc", "ddd", "eeee"))).isEqualTo(11)
        }
    }

    @Test
    fun windowProcessesEachItemOnceAfterACrash() {
        var failures = 1
        val work =
            object : ItemWork {
                override fun process(item: Int): Int {
                    check(item != 5 || failures-- <= 0) { "try again" }
                    log += "item $item"
                    return item
                }
            }
        TestDormouse.open { builder ->
            builder
                .workflow(SlidingWindow::class.java) { SlidingWindowWorkflow() }
                .workflow(SlidingItem::class.java) { SlidingItemWorkflow() }
                .activities(ItemWork::class.java, work)
        }.use { test ->
            val window = test.dormouse().workflow(SlidingWindow::class.java, "window")
            val handle: WorkflowHandle<Int> = test.dormouse().start { window.run(10, 3) }
            assertThat(handle.workflowId()).isEqualTo("window")
            test.advance(Duration.ofMillis(500)) // item 5 waits for its second attempt
            test.restart()
            assertThat(test.dormouse().handle("window", Int::class.javaObjectType).result()).isEqualTo(45)
            assertThat(log).hasSize(10).doesNotHaveDuplicates()
        }
    }

    private inner class FailingDesk : OrderDesk {
        override fun reserve(item: String) = "reservation".also { log += "reserve" }

        override fun release(reservation: String) {
            log += "release"
        }

        override fun charge(item: String) = "payment".also { log += "charge" }

        override fun refund(payment: String) {
            log += "refund"
        }

        override fun ship(item: String): String = error("no parcels")
    }
}
