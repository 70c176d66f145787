/** A timer that ends a stalled transfer. */
export interface Stall {
  signal: AbortSignal
  /** Restarts the timer. */
  touch(): void
  stop(): void
  abort(): void
}

/** Its signal aborts when nothing was transferred for this many seconds, or when `ended` aborts. */
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
