/** The values of a room's form, and the draft that results from them. */
import {
  type Edition,
  editionsOf,
  type LicenceType,
  licencesOf,
  type Product,
  type ProjectRoom,
  type RoomDraft,
  type RoomText,
  roomFieldCatalogue,
  roomFieldsWith,
  type SalesChannel,
  type SubMiningType,
  subLicencesOf,
} from '@roomkeeper/contract'
import {
  type CompleteLicences,
  completeLicences,
  defaultLicences,
  delegateApplies,
  isProcess,
  withDelegate,
} from '@roomkeeper/rules'
import { formatDay, parseDay } from '#ui/day.ts'

/** The value of a number input: '' while it is empty, a string while it is no number yet. */
type TypedNumber = number | string

/** The catalogue's texts and fields with special inputs, named as on the wire, so that refusals find their inputs. */
export interface RoomForm extends Record<RoomText, string> {
  tenantName: string
  product: Product
  edition: Edition
  subMiningType: SubMiningType
  /** The id as a string, as the select needs it. */
  region: string | null
  /** As typed, dd.MM.yyyy; empty means unlimited. */
  expirationDate: string
  licenses: Record<string, TypedNumber>
  /** The chosen types of licences that have a choice. */
  licensesInformation: Record<string, LicenceType>
  subLicenses: { DataVolumeGB: TypedNumber }
  /** The key of the process size; '' if there is none. */
  process: string
  sapNumber: string
  /** The new SAP contract number of a stored room. */
  sapNumberLast: string
  productType: SalesChannel
}

type LicencePart = Pick<RoomForm, 'licenses' | 'licensesInformation' | 'subLicenses' | 'process'>

export function emptyRoomForm(): RoomForm {
  return {
    tenantName: '',
    product: 'ARIS',
    edition: 'basic',
    subMiningType: 'NONE',
    region: null,
    expirationDate: '',
    ...licencesAtFirst('ARIS', 'basic'),
    ...forEachText(() => ''),
    sapNumber: '',
    sapNumberLast: '',
    productType: 'direct-sales',
  }
}

/** The known fields of a room: all of a stored room, fewer of a room that only a manifest describes. */
type KnownRoom = Pick<ProjectRoom, 'product' | 'edition'> & Partial<ProjectRoom>

export function formOf(room: KnownRoom): RoomForm {
  const { product, edition } = room
  return {
    ...emptyRoomForm(),
    product,
    edition,
    ...licencesIn(product, edition, {
      licenses: room.licenses ?? {},
      licensesInformation: room.licensesInformation ?? [],
      subLicenses: room.subLicenses ?? [],
    }),
    tenantName: room.tenantName ?? '',
    subMiningType: room.subMiningType ?? 'NONE',
    region: room.region === undefined ? null : String(room.region),
    expirationDate: room.expirationDate == null ? '' : formatDay(room.expirationDate),
    ...forEachText((name) => room[name] ?? ''),
    sapNumber: room.sapNumber ?? '',
    sapNumberLast: room.sapNumberLast ?? '',
    productType: room.productType ?? 'direct-sales',
  }
}

function forEachText<Value>(of: (name: RoomText) => Value): Record<RoomText, Value> {
  const entries = roomFieldsWith('form').map((name) => [name, of(name)])
  return Object.fromEntries(entries) as Record<RoomText, Value>
}

/** Optional texts are null if they are blank. */
function textsSent(form: RoomForm): Pick<RoomDraft, RoomText> {
  const sent = forEachText((name) => {
    const text = form[name].trim()
    return text === '' && !roomFieldCatalogue[name].form.isRequired ? null : text
  })
  return sent as Pick<RoomDraft, RoomText>
}

/** The values that change with the product: its first edition with its licences, and no sub mining type. */
export function afterProductChange(product: Product): Partial<RoomForm> {
  const edition = editionsOf[product][0] ?? 'basic'
  return { product, edition, subMiningType: 'NONE', ...licencesAtFirst(product, edition) }
}

/** The values that change with the edition: its licences. Entered counts move to the licence of the same meaning. */
export function afterEditionChange(form: RoomForm, edition: Edition): Partial<RoomForm> {
  const entered = new Map(
    licencesOf(form.product, form.edition).map((each) => [each.countedAs, form.licenses[each.key]]),
  )
  const fresh = licencesAtFirst(form.product, edition)
  const kept = licencesOf(form.product, edition).map((each) => {
    const count = entered.get(each.countedAs) ?? form.licenses[each.key] ?? fresh.licenses[each.key]
    return [each.key, count ?? ''] as const
  })
  const volumeIsUntouched =
    form.subLicenses.DataVolumeGB === licencesAtFirst(form.product, form.edition).subLicenses.DataVolumeGB
  return {
    edition,
    ...fresh,
    // Counts of licences that this edition lacks are kept for the way back. Only the edition's own are sent.
    licenses: { ...form.licenses, ...Object.fromEntries(kept) },
    ...(volumeIsUntouched ? {} : { subLicenses: form.subLicenses }),
  }
}

/** Whether the licence needs another one whose count is 0; its own count is then 0. */
export function lacksNeededLicence(form: RoomForm, key: string): boolean {
  const needs = licencesOf(form.product, form.edition).find((each) => each.key === key)?.needs
  return needs !== undefined && (countOf(form.licenses[needs]) ?? 0) === 0
}

/** The draft to send: texts trimmed, empty fields null, a delegate only if there can be one. */
export function draftOf(form: RoomForm): RoomDraft {
  const counts = licencesOf(form.product, form.edition).map(
    (each) =>
      [each.key, lacksNeededLicence(form, each.key) ? 0 : countOf(form.licenses[each.key], each.minimum)] as const,
  )
  const draft: RoomDraft = {
    tenantName: form.tenantName.trim(),
    product: form.product,
    edition: form.edition,
    region: form.region === null ? Number.NaN : Number(form.region),
    sapNumber: form.sapNumber.trim(),
    productType: form.productType,
    expirationDate: parseDay(form.expirationDate),
    ...textsSent(form),
    additionalEmail: null,
    priority: 0,
    licenses: Object.fromEntries(counts),
    licensesInformation: [],
    subLicenses: subLicencesIn(form),
    subMiningType: form.subMiningType,
  }
  const typed = { ...draft, licensesInformation: typesIn(form, draft) }
  return form.product === 'ENTERPRISE' ? typed : { ...typed, additionalEmail: form.additionalEmail.trim() || null }
}

/**
 * The licences must be for two users before a delegate can be entered. An entered one stays in sight however the
 * licences change: ARIS raises the designers for it, MINING refuses too few, ENTERPRISE says that it has none.
 */
export function delegateIsShown(form: RoomForm, draft: RoomDraft): boolean {
  return delegateApplies(draft) || form.additionalEmail.trim() !== ''
}

/** The values that an entered delegate changes: one ARIS designer becomes two. */
export function raisedForDelegate(draft: RoomDraft): Partial<RoomForm> {
  const raised = withDelegate(draft)
  return raised === draft ? {} : { licenses: completeLicences(raised).licenses }
}

/**
 * Null if empty, NaN if not a whole number from 0: `1.5`, `1e3` and `-5` are refused, never read as another number, and
 * so is `07` where at least one is needed (the pattern of specification 000 §5).
 */
export function countOf(typed: TypedNumber | undefined, minimum = 0): number | null {
  const text = String(typed ?? '').trim()
  if (text === '') return null
  return (minimum > 0 ? /^(0|[1-9]\d*)$/ : /^\d+$/).test(text) ? Number(text) : Number.NaN
}

function typesIn(form: RoomForm, draft: RoomDraft): RoomDraft['licensesInformation'] {
  return completeLicences(draft).licensesInformation.map((each) => ({
    ...each,
    licenseType: form.licensesInformation[each.licenseKey] ?? each.licenseType,
  }))
}

function subLicencesIn(form: RoomForm): RoomDraft['subLicenses'] {
  return subLicencesOf(form.product, form.edition)
    .filter((each) => !isProcess(each) || each.key === form.process)
    .map((each) => ({
      licenseKey: each.key,
      subLicenseAmount: isProcess(each) ? 1 : (countOf(form.subLicenses.DataVolumeGB) ?? each.minimum),
      productKey: each.parent[form.edition] ?? '',
    }))
}

function licencesAtFirst(product: Product, edition: Edition): LicencePart {
  return licencesIn(product, edition, defaultLicences(product, edition))
}

function licencesIn(product: Product, edition: Edition, held: CompleteLicences): LicencePart {
  const { licenses, licensesInformation, subLicenses } = completeLicences({ product, edition, ...held })
  const choosable = new Set(
    licencesOf(product, edition)
      .filter((each) => each.types.length > 1)
      .map((each) => each.key),
  )
  const chosen = licensesInformation.filter((each) => choosable.has(each.licenseKey))
  const volume = subLicenses.find((each) => each.licenseKey === 'DataVolumeGB')
  const process = subLicenses.find((each) => each !== volume)
  return {
    licenses,
    licensesInformation: Object.fromEntries(chosen.map((each) => [each.licenseKey, each.licenseType])),
    subLicenses: { DataVolumeGB: volume?.subLicenseAmount ?? 0 },
    process: process?.licenseKey ?? smallestProcess(product, edition),
  }
}

/** The smallest process size, with which a room that needs one starts; '' if it needs none. */
function smallestProcess(product: Product, edition: Edition): string {
  return subLicencesOf(product, edition).find((each) => each.kind === 'process-living')?.key ?? ''
}
