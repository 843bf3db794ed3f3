package dev.dormouse.examples.kotlin

import dev.dormouse.ActivityInterface
import dev.dormouse.Promise
import dev.dormouse.Workflow
import dev.dormouse.WorkflowInterface
import dev.dormouse.WorkflowMethod

/** A window of children: the next one starts as soon as the oldest has ended. */
@WorkflowInterface
interface SlidingWindow {
    @WorkflowMethod
    fun run(items: Int, size: Int): Int
}

@WorkflowInterface
interface SlidingItem {
    @WorkflowMethod
    fun process(item: Int): Int
}

@ActivityInterface
interface ItemWork {
    fun process(item: Int): Int
}

class SlidingItemWorkflow : SlidingItem {
    private val work = Workflow.activities(ItemWork::class.java)

    override fun process(item: Int) = work.process(item)
}

class SlidingWindowWorkflow : SlidingWindow {
    override fun run(items: Int, size: Int): Int {
        var sum = 0
        val open = ArrayDeque<Promise<Int>>()
        for (item in 0 until items) {
            if (open.size == size) {
                sum += open.removeFirst().get()
            }
            val child = Workflow.child(SlidingItem::class.java)
            open += Workflow.async { child.process(item) }
        }
        return sum + open.sumOf { it.get() }
    }
}
