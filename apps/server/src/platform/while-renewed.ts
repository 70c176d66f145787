/**
 * Renews what the work holds, regularly and one renewal at a time: two that overlap could arrive in any order. The next
 * round repeats a failed renewal; callers find a gap afterwards. Once this has returned, no renewal is under way, so none
 * is sent after the release.
 */
export async function whileRenewed<T>(
  renew: () => Promise<unknown>,
  everyMilliseconds: number,
  work: () => Promise<T>,
): Promise<T> {
  let renewing: Promise<unknown> | null = null
  const timer = setInterval(() => {
    renewing ??= renew()
      .catch(() => undefined)
      .finally(() => {
        renewing = null
      })
  }, everyMilliseconds)
  try {
    return await work()
  } finally {
    clearInterval(timer)
    await renewing
  }
}
