/** The form of a backup policy: its values, their format in the API, and errors. */
import {
  type BackupPolicyDraft,
  type BackupPolicyRooms,
  type BackupSchedule,
  backupPolicyDraft,
  type CodedError,
  type Edition,
  fieldErrorsOf,
  type Product,
} from '@roomkeeper/contract'
import type { Settings } from '#ui/form/changes.ts'

/** All values as typed or chosen. What is entered for one way of repeating stays while another one is chosen. */
export interface BackupPolicyForm {
  name: string
  isOn: boolean
  regions: number[]
  products: Product[]
  editions: Edition[]
  search: string
  kind: BackupPolicyDraft['kind']
  every: BackupSchedule['every']
  hours: number | string
  at: string
  /** 1 is Monday. */
  weekday: string
  windowHours: number | string
  daily: number | string
  weekly: number | string
  monthly: number | string
  verifyEvery: number | string
  /** As it is stored; the form changes only its `search`. */
  query: BackupPolicyRooms['query']
}

export const newPolicyForm: BackupPolicyForm = {
  name: '',
  isOn: true,
  regions: [],
  products: [],
  editions: [],
  search: '',
  kind: 'classic',
  every: 'day',
  hours: 6,
  at: '22:00',
  weekday: '7',
  windowHours: 6,
  daily: 7,
  weekly: 4,
  monthly: 12,
  verifyEvery: 0,
  query: null,
}

export function formOf(policy: BackupPolicyDraft | null): BackupPolicyForm {
  if (policy === null) return newPolicyForm
  const { name, isOn, rooms, kind, schedule, keep, verifyEvery } = policy
  const { regions, products, editions, query } = rooms
  const times = schedule.every === 'week' ? { ...schedule, weekday: String(schedule.weekday) } : schedule
  const places = { regions, products, editions, query, search: query?.search ?? '' }
  return { ...newPolicyForm, name, isOn, ...places, kind, ...times, ...keep, verifyEvery }
}

/** Numbers that are not numbers are sent as they were typed, for the schema to refuse. */
export function draftOf(form: BackupPolicyForm): BackupPolicyDraft {
  const { name, isOn, regions, products, editions, kind } = form
  return {
    name: name.trim(),
    isOn,
    rooms: { regions, products, editions, query: queryOf(form) },
    kind,
    schedule: scheduleOf(form),
    keep: { daily: form.daily as number, weekly: form.weekly as number, monthly: form.monthly as number },
    verifyEvery: form.verifyEvery as number,
  }
}

function scheduleOf({ every, hours, at, weekday, windowHours }: BackupPolicyForm): BackupSchedule {
  if (every === 'hours') return { every, hours: hours as number }
  const window = { at: at.trim(), windowHours: windowHours as number }
  return every === 'day' ? { every, ...window } : { every, weekday: Number(weekday), ...window }
}

function queryOf({ search, query }: BackupPolicyForm): BackupPolicyRooms['query'] {
  const words = search.trim()
  if (words === '' && !hasOtherFilters(query)) return null
  return { ...(query ?? everything), search: words }
}

const everything = {
  order_by: 'tenantName',
  order_dir: 'asc',
  search_keys: [],
  search_values: [],
  filter_keys: [],
  filter_values: [],
  filter_conditions: [],
} satisfies Omit<NonNullable<BackupPolicyRooms['query']>, 'search'>

/** Whether the rooms are limited by filters of the list, which this form does not show and leaves as they are. */
export function hasOtherFilters(query: BackupPolicyRooms['query']): boolean {
  return query !== null && query.search_values.length + query.filter_values.length > 0
}

/** The rooms are chosen from lists, and numbers on the wire. */
const typedFields = backupPolicyDraft.omit({ rooms: true })

/** Errors by field; empty if the form can be saved. */
export function errorsOf(form: BackupPolicyForm): Partial<Record<keyof BackupPolicyForm, CodedError>> {
  const { error } = typedFields.safeParse(draftOf(form))
  const errors: Partial<Record<keyof BackupPolicyForm, CodedError>> = {}
  for (const each of error === undefined ? [] : fieldErrorsOf(error))
    errors[pathOf(each.field) as keyof BackupPolicyForm] ??= each
  return errors
}

/** `schedule.at` is the field `at`. */
export function pathOf(field: string): string {
  const [first = '', second] = field.split('.')
  if (first === 'rooms') return second === 'query' ? 'search' : (second ?? first)
  return second ?? first
}

/** What is compared when a colleague has stored other settings. */
export const policySettings: Settings<BackupPolicyForm, PolicySetting> = {
  of: settingsOf,
  pathsOf: (setting) => partsOf[setting] ?? [setting],
}
export type PolicySetting = keyof ReturnType<typeof settingsOf>

function settingsOf(form: BackupPolicyForm) {
  const { name, isOn, rooms, kind, schedule, keep, verifyEvery } = draftOf(form)
  const { regions, products, editions, query } = rooms
  return { name, isOn, regions, products, editions, search: query, kind, schedule, keep, verifyEvery }
}

/** The fields of settings that have more than one. */
const partsOf: Partial<Record<PolicySetting, readonly (keyof BackupPolicyForm)[]>> = {
  search: ['search', 'query'],
  schedule: ['every', 'hours', 'at', 'weekday', 'windowHours'],
  keep: ['daily', 'weekly', 'monthly'],
}
