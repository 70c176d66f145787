/** The form of a region: its values, their format in the API, and errors and hints. */
import {
  type CodedError,
  fieldErrorsOf,
  type Product,
  type Region,
  type RegionChange,
  type RegionDraft,
  type RegionState,
  regionDraft,
} from '@roomkeeper/contract'
import { z } from 'zod'
import { differences } from '#ui/form/changes.ts'

/** All values as typed or chosen. */
export interface RegionForm {
  regionName: string
  regionIPorURL: string
  /** Empty means unlimited. */
  maxNumOfTenants: string
  userName: string
  password: string
  passwordSystem: string
  productVersion: Product[]
  selectedSourceRegion: number[]
  state: RegionState
  /** Only used if another server answers at the region's address. */
  confirmOtherServer: boolean
}
export type RegionField = keyof RegionForm

export const newRegionForm: RegionForm = {
  regionName: '',
  regionIPorURL: '',
  maxNumOfTenants: '',
  userName: 'superuser',
  password: '',
  passwordSystem: '',
  productVersion: ['ARIS'],
  selectedSourceRegion: [],
  state: 'enabled',
  confirmOtherServer: false,
}

export const unlimited = -1

/** The server never sends passwords, so they are empty. */
export function formOf(region: Region | null): RegionForm {
  if (region === null) return newRegionForm
  const { regionName, regionIP, maxNumOfTenants, userName, productVersion, selectedSourceRegion, state } = region
  return {
    ...newRegionForm,
    regionName,
    regionIPorURL: regionIP,
    maxNumOfTenants: maxNumOfTenants === unlimited ? '' : String(maxNumOfTenants),
    userName,
    productVersion,
    selectedSourceRegion,
    state,
  }
}

export function draftOf(form: RegionForm): RegionDraft {
  const { confirmOtherServer: _, ...draft } = form
  const { regionName, regionIPorURL, userName } = draft
  return {
    ...draft,
    regionName: regionName.trim(),
    regionIPorURL: regionIPorURL.trim(),
    userName: userName.trim(),
    maxNumOfTenants: maximumOf(form),
  }
}

/** What is sent to change a region: only what differs from the stored settings. */
export function changeOf(form: RegionForm, stored: Region): RegionChange {
  const { password, passwordSystem, ...draft } = draftOf(form)
  const changed = differences(regionSettings, form, formOf(stored))
  const sent = Object.fromEntries(changed.map((field) => [field, draft[field]]))
  const { confirmOtherServer } = form
  return { id: stored.regionId, version: stored.version, ...sent, password, passwordSystem, confirmOtherServer }
}

/** The region unchanged except for its state. */
export function changeOfState({ regionId, version }: Region, state: RegionState) {
  return { id: regionId, version, state }
}

/** What is stored and shown. Passwords are stored, but never shown. */
export const regionSettings = {
  of: (form: RegionForm) => {
    const { regionName, regionIPorURL, maxNumOfTenants, state, userName, productVersion, selectedSourceRegion } =
      draftOf(form)
    return { regionName, regionIPorURL, maxNumOfTenants, state, userName, productVersion, selectedSourceRegion }
  },
}
export type RegionSetting = keyof ReturnType<typeof regionSettings.of>

/** A stored password must not reach another host or belong to another user. */
export function needsPasswords(form: RegionForm, stored: Region | null): boolean {
  if (stored === null) return true
  return addressOf(form.regionIPorURL) !== addressOf(stored.regionIP) || form.userName.trim() !== stored.userName
}

/** The state is not checked: it is chosen from a list, and a number on the wire. */
const typedFields = regionDraft.omit({ state: true })

/** Errors by field; empty if the form can be tested and saved. */
export function errorsOf(form: RegionForm, stored: Region | null): Partial<Record<RegionField, CodedError>> {
  const { error } = typedFields.safeParse(draftOf(form))
  const errors: Partial<Record<RegionField, CodedError>> = {}
  for (const each of error === undefined ? [] : fieldErrorsOf(error))
    errors[each.field.split('.')[0] as RegionField] ??= each
  if (!needsPasswords(form, stored)) {
    if (form.password === '') delete errors.password
    if (form.passwordSystem === '') delete errors.passwordSystem
  }
  return errors
}

/** Whether to show the hint about the URL: the entry may be valid, but its start is unusual. */
export function urlIsUnusual({ regionIPorURL }: RegionForm): boolean {
  return !/^https/i.test(regionIPorURL.trim()) || !z.safeParse(regionDraft.shape.regionIPorURL, regionIPorURL).success
}

/** The number of rooms in the region if it exceeds the entered maximum, or else null. */
export function roomsAboveMaximum(form: RegionForm, stored: Region | null): number | null {
  const maximum = maximumOf(form)
  if (stored === null || maximum < 0 || Number.isNaN(maximum)) return null
  return maximum < stored.numberOfProjectRooms ? stored.numberOfProjectRooms : null
}

/** NaN if the entry is not a whole number. */
function maximumOf({ maxNumOfTenants }: RegionForm): number {
  const text = maxNumOfTenants.trim()
  if (text === '') return unlimited
  return /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN
}

function addressOf(url: string): string {
  return url.trim().replace(/\/$/, '')
}
