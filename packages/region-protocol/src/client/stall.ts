/** A timer that ends a transfer in which nothing moves any more. */
export interface Stall {
  signal: AbortSignal
  /** Restarts the timer. */
  touch(): void
  stop(): void
  abort(): void
}

/** Aborts when nothing moved for so long, and with the signal. */
export function createStall(seconds: number, ended?: AbortSignal): Stall {
  const controller = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const stop = () => clearTimeout(timer)
  return {
    signal: ended === undefined ? controller.signal : AbortSignal.any([controller.signal, ended]),
    stop,
    touch() {
      stop()
      timer = setTimeout(() => controller.abort(new DOMException('stalled', 'TimeoutError')), seconds * 1000)
      timer.unref()
    },
    abort() {
      stop()
      controller.abort()
    },
  }
}
