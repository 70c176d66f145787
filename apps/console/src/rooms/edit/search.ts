/** Which part of the edit screen is shown, as it stands in the URL. */

export const editTabs = ['settings', 'databases', 'backups', 'history'] as const
export type EditTab = (typeof editTabs)[number]

/** Absent means the default: the settings, and the newest page of the history. */
export interface EditSearch {
  tab?: Exclude<EditTab, 'settings'> | undefined
  /** Of the history, from 1. */
  page?: number | undefined
}

/** Reads what may be anything; what cannot be understood is left out. */
export function parseEditSearch(given: Record<string, unknown>): EditSearch {
  const tab = editTabs.find((each) => each === given.tab)
  const page = Number(given.page)
  return {
    ...(tab === undefined || tab === 'settings' ? {} : { tab }),
    ...(tab === 'history' && Number.isInteger(page) && page > 1 && page <= 1_000_000_000 ? { page } : {}),
  }
}
