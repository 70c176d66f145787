/** The form of a region: what it holds, what it means on the wire, and what is wrong or worth saying about it. */
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

/** Everything as it was typed or chosen. */
export interface RegionForm {
  regionName: string
  regionIPorURL: string
  /** Empty is unlimited. */
  maxNumOfTenants: string
  userName: string
  password: string
  passwordSystem: string
  productVersion: Product[]
  selectedSourceRegion: number[]
  state: RegionState
  /** Only for a region at whose address another server answers. */
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

/** The passwords are never sent back, so they stay empty. */
export function formOf(region: Region): RegionForm {
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

/** The region as it is, in another state. */
export function changeOfState(region: Region, state: RegionState): Omit<RegionChange, 'confirmOtherServer'> {
  return { ...draftOf(formOf(region)), id: region.regionId, state }
}

/** A stored password must not reach another host or belong to another user. */
export function needsPasswords(form: RegionForm, stored: Region | null): boolean {
  if (stored === null) return true
  return addressOf(form.regionIPorURL) !== addressOf(stored.regionIP) || form.userName.trim() !== stored.userName
}

/** The state is chosen, and a number on the wire. */
const typedFields = regionDraft.omit({ state: true })

/** What is wrong, by field; nothing when the form can be tested and saved. */
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

/** Whether the hint about the URL is to be shown: the entry may be a valid URL, but starts unusually. */
export function urlIsUnusual({ regionIPorURL }: RegionForm): boolean {
  return (
    !regionIPorURL.trim().startsWith('https') || !z.safeParse(regionDraft.shape.regionIPorURL, regionIPorURL).success
  )
}

/** How many rooms the region has, when that is more than the maximum would be; otherwise null. */
export function roomsAboveMaximum(form: RegionForm, stored: Region | null): number | null {
  const maximum = maximumOf(form)
  if (stored === null || maximum < 0 || Number.isNaN(maximum)) return null
  return maximum < stored.numberOfProjectRooms ? stored.numberOfProjectRooms : null
}

/** NaN when it is no whole number. */
function maximumOf({ maxNumOfTenants }: RegionForm): number {
  const text = maxNumOfTenants.trim()
  if (text === '') return unlimited
  return /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN
}

function addressOf(url: string): string {
  return url.trim().replace(/\/$/, '')
}
