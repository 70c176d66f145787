/**
 * Gives back what a process has not needed since it was busy. V8 collects garbage when memory is asked for, so a process
 * that has become quiet would keep all that its start or its last rush has left behind, for as long as it stays quiet.
 */
import { performance } from 'node:perf_hooks'
import { getHeapStatistics } from 'node:v8'
import { garbageCollector } from './garbage-collector.ts'

/** Above this share of its time, a process is not idle; a collection would make callers wait. */
const busyShare = 0.02
const worthCollectingBytes = 6 * 1024 * 1024

/**
 * @param lookEveryMilliseconds how often to look whether the process has been idle since the last look
 * @returns a function that stops it
 */
export function collectWhenIdle(lookEveryMilliseconds = 10_000): () => void {
  const collect = garbageCollector()
  let used = 0
  let before = performance.eventLoopUtilization()
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, before)
    before = now
    if (utilization > busyShare || usedBytes() - used < worthCollectingBytes) return
    collect({ type: 'major', flavor: 'last-resort' })
    used = usedBytes()
    before = performance.eventLoopUtilization()
  }, lookEveryMilliseconds)
  timer.unref()
  return () => clearInterval(timer)
}

function usedBytes(): number {
  const { used_heap_size: heap, external_memory: external } = getHeapStatistics()
  return heap + external
}
