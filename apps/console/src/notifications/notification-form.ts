/** The form of a notification: the typed values, and the notification that results. */
import { type Notification, type NotificationDraft, notificationDraft } from '@roomkeeper/contract'
import { formatDay, parseDay } from '#ui/day.ts'
import { formatDate, formatTime } from '#ui/format.ts'

export interface NotificationForm {
  /** HTML; empty if the HTML has no text. */
  message: string
  /** As typed, in the form `dd.MM.yyyy`. */
  startDay: string
  /** `HH:mm`, in the time zone of the browser, like all times here. */
  startTime: string
  endDay: string
  endTime: string
  displayPopup: boolean
  deactivate: boolean
}

type FormField = 'message' | 'start' | 'end'
type FormProblem = 'no-message' | 'long-message' | 'no-moment' | 'end-before-start'
type FormProblems = Partial<Record<FormField, FormProblem>>

/** A notification that starts now. */
export function emptyForm(now: Date): NotificationForm {
  const [startDay, startTime] = typedMoment(now.toISOString())
  return { message: '', startDay, startTime, endDay: '', endTime: '', displayPopup: false, deactivate: false }
}

export function formOf({ message, startDate, endDate, displayPopup, deactivate }: Notification): NotificationForm {
  const [[startDay, startTime], [endDay, endTime]] = [typedMoment(startDate), typedMoment(endDate)]
  return { message, startDay, startTime, endDay, endTime, displayPopup, deactivate }
}

/** The notification that results from the form, or what is wrong with the form. */
export function readForm(form: NotificationForm): NotificationDraft | FormProblems {
  const { message, displayPopup, deactivate } = form
  const [startDate, endDate] = [momentOf(form.startDay, form.startTime), momentOf(form.endDay, form.endTime)]
  const { data, error } = notificationDraft.safeParse({ message, startDate, endDate })
  if (data !== undefined) return { ...data, displayPopup, deactivate }
  const isWrong = (field: string) => error.issues.some(({ path }) => path[0] === field)
  return {
    ...(isWrong('message') ? { message: message === '' ? 'no-message' : 'long-message' } : {}),
    ...(startDate === null ? { start: 'no-moment' } : {}),
    ...(endDate === null ? { end: 'no-moment' } : isWrong('endDate') ? { end: 'end-before-start' } : {}),
  }
}

export function isDraft(read: NotificationDraft | FormProblems): read is NotificationDraft {
  return 'startDate' in read
}

function typedMoment(iso: string): [day: string, time: string] {
  return [formatDate(iso), formatTime(iso).slice(0, 5)]
}

/** The moment in ISO 8601; null if day or time is invalid. */
function momentOf(typedDay: string, typedTime: string): string | null {
  const day = parseDay(typedDay)
  const time = parseTime(typedTime)
  if (day === null || time === null) return null
  return new Date(`${day}T${time}`).toISOString()
}

/** `HH:mm`, or null. Also takes `8:30` and `8.30`. */
function parseTime(typed: string): string | null {
  const found = /^([01]?\d|2[0-3])[:.]([0-5]\d)$/.exec(typed.trim())
  return found === null ? null : `${(found[1] ?? '').padStart(2, '0')}:${found[2]}`
}

/** `8.30` → `08:30`; a text that is no valid time stays as typed. */
export function formatTypedTime(typed: string): string {
  return parseTime(typed) ?? typed
}

/** `1.2.26` → `01.02.2026`; a text that is no valid day stays as typed. */
export function formatTypedDay(typed: string): string {
  const day = parseDay(typed)
  return day === null ? typed : formatDay(day)
}
