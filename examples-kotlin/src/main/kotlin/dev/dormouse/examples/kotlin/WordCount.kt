package dev.dormouse.examples.kotlin

import dev.dormouse.ActivityInterface
import dev.dormouse.Workflow
import dev.dormouse.WorkflowInterface
import dev.dormouse.WorkflowMethod

/** Fan-out and fan-in with limited parallelism. */
@WorkflowInterface
interface WordCount {
    @WorkflowMethod
    fun count(chapters: List<String>): Int
}

@ActivityInterface
interface WordCounter {
    fun words(chapter: String): Int
}

class WordCountWorkflow : WordCount {
    private val counter = Workflow.activities(WordCounter::class.java)

    override fun count(chapters: List<String>): Int =
        Workflow.parallel(chapters, 4) { chapter -> counter.words(chapter) }.sum()
}
