/** Which page of the notifications is shown, as it stands in the URL; absent is the first. */
export interface NotificationsSearch {
  page?: number | undefined
}

/** Reads what may be anything; what cannot be understood is left out. */
export function parseNotificationsSearch(given: Record<string, unknown>): NotificationsSearch {
  const page = Number(given.page)
  return Number.isInteger(page) && page > 1 && page <= 1_000_000 ? { page } : {}
}
