/** The console's notices for all visitors, from its public calls: maintenance, notifications, the welcome video. */
import { boundedJson, boundedText } from '@roomkeeper/region-protocol'
import { z } from 'zod'

export interface ConsoleNotices {
  /** Null: no maintenance. */
  maintenanceMessage: string | null
  /** HTML, cleaned by the console. */
  notifications: { message: string; isPopup: boolean }[]
  /** Null: no video. */
  youtubeIdentifier: string | null
}

export const noNotices: ConsoleNotices = { maintenanceMessage: null, notifications: [], youtubeIdentifier: null }

const maintenance = z.object({ maintenanceMode: z.boolean(), maintenanceMessage: z.string() })
const flag = z.union([z.boolean(), z.number()]).transform(Boolean)
const notifications = z
  .array(z.object({ message: z.string(), displayPopup: flag, deactivate: flag.default(false) }))
  .max(1000)
const configuration = z.object({ youtubeIdentifier: z.string().nullable().default(null) })

const freshSeconds = 10
const timeoutMilliseconds = 2000
const cache = new Map<string, { until: number; notices: Promise<ConsoleNotices> }>()

/**
 * The notices, at most `freshSeconds` old. A failed call leaves its notices out, so that a room's page still appears.
 */
export function readConsoleNotices(consoleUrl: string): Promise<ConsoleNotices> {
  const known = cache.get(consoleUrl)
  if (known !== undefined && known.until > performance.now()) return known.notices
  const notices = fetchNotices(consoleUrl)
  cache.set(consoleUrl, { until: performance.now() + freshSeconds * 1000, notices })
  return notices
}

async function fetchNotices(consoleUrl: string): Promise<ConsoleNotices> {
  const [mode, list, config] = await Promise.all([
    ask(`${consoleUrl}/api/maintenanceMode`, maintenance),
    ask(`${consoleUrl}/api/customer/notifications`, notifications),
    ask(`${consoleUrl}/api/customer/configuration`, configuration),
  ])
  return {
    maintenanceMessage: mode?.maintenanceMode ? mode.maintenanceMessage : null,
    notifications: (list ?? [])
      .filter(({ deactivate }) => !deactivate)
      .map(({ message, displayPopup }) => ({ message, isPopup: displayPopup })),
    youtubeIdentifier: config?.youtubeIdentifier || null,
  }
}

async function ask<S extends z.ZodType>(url: string, schema: S): Promise<z.output<S> | null> {
  try {
    const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(timeoutMilliseconds) })
    if (!response.ok) return null
    return schema.safeParse(boundedJson(await boundedText(response))).data ?? null
  } catch {
    return null
  }
}
