import type { Notification } from '@roomkeeper/contract'

export type NotificationState = 'in-force' | 'planned' | 'over' | 'deactivated'

/** Whether customers see it at this moment, and why not. */
export function stateOf({ startDate, endDate, deactivate }: Notification, now: Date): NotificationState {
  if (deactivate) return 'deactivated'
  if (Date.parse(startDate) > now.getTime()) return 'planned'
  return Date.parse(endDate) > now.getTime() ? 'in-force' : 'over'
}
