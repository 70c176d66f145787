/** How fast a transfer is, from what was sent in the last seconds: a moving value that does not jump. */
const windowMilliseconds = 5_000

export interface TransferRate {
  /** Notes how many bytes have been sent until now. @returns bytes per second, null while it cannot be told. */
  note(sentBytes: number, now?: number): number | null
}

export function createTransferRate(startedAt = Date.now()): TransferRate {
  let samples = [{ at: startedAt, sent: 0 }]
  return {
    note(sentBytes, now = Date.now()) {
      samples.push({ at: now, sent: sentBytes })
      // The last sample before the window stays, so that the window is always covered.
      const first = samples.findLastIndex(({ at }) => at <= now - windowMilliseconds)
      samples = samples.slice(Math.max(0, first))
      const [oldest] = samples
      if (oldest === undefined || now <= oldest.at) return null
      return ((sentBytes - oldest.sent) * 1000) / (now - oldest.at)
    },
  }
}
