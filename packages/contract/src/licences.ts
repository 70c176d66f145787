/**
 * The licence catalogue: which licences a room of a product and edition can hold.
 * Forms, validation, totals and the region all read this one table.
 */
import type { Edition, LicenceType, Product, SubMiningType } from './wire-codes.ts'

/** The licence totals of a list of rooms (specification 000 §3). */
export const licenceTotalKeys = [
  'designers',
  'viewers',
  'architects',
  'epBus',
  'epEam',
  'designersSap',
  'architectsSap',
  'yukonDataVolume',
  'aiCredits',
  'yukonViewer',
  'yukonEngineer',
  'yukonAnalyst',
  'esDesigner',
  'esViewer',
  'esViewerPro',
  'esAdmin',
] as const
export type LicenceTotalKey = (typeof licenceTotalKeys)[number]

export interface Licence {
  key: string
  product: Product
  editions: readonly Edition[]
  /** The label in English; the console translates by key. */
  label: string
  /** The total that this licence counts towards, if any. */
  countedAs: LicenceTotalKey | null
  /** The count a new room starts with. */
  default: number
  minimum: number
  maximum: number
  /** The types that an operator may choose from; a single entry means that the type is fixed. */
  types: readonly LicenceType[]
  obsolete: boolean
  /** The key of another licence whose count must be above 0. */
  needs?: string
}

export interface SubLicence {
  key: string
  product: Product
  editions: readonly Edition[]
  label: string
  kind: 'data-volume' | 'process-flex' | 'process-living'
  countedAs: LicenceTotalKey | null
  /** By edition, because the default data volume differs between editions. 0 means: not chosen. */
  default: Readonly<Partial<Record<Edition, number>>>
  minimum: number
  /** The licence it belongs to (`productKey` on the wire), by edition. */
  parent: Readonly<Partial<Record<Edition, string>>>
}

export const maximumLicenceCount = 2_147_483_646

const arisAdvanced = ['advanced', 'advanced-base-extension'] as const
const named = ['NUC'] as const
const namedOrConcurrent = ['NUC', 'CUC'] as const
const tenantWide = ['TEN'] as const

type Row = [string, Product, readonly Edition[], string, LicenceTotalKey | null, number, number]
function licence(row: Row, more: Partial<Licence> = {}): Licence {
  const [key, product, editions, label, countedAs, initial, minimum] = row
  return {
    key, product, editions, label, countedAs, minimum, default: initial,
    maximum: maximumLicenceCount, types: named, obsolete: false, ...more,
  } // biome-ignore format: one row of a table
}
const obsolete = { obsolete: true }

// biome-ignore format: a table
export const licences: readonly Licence[] = [
  licence(['YABV', 'ARIS', ['basic'], 'Viewer', 'viewers', 0, 0]),
  licence(['YABD', 'ARIS', ['basic'], 'Designer', 'designers', 1, 1]),
  licence(['YAAV', 'ARIS', arisAdvanced, 'Viewer', 'viewers', 0, 0]),
  licence(['YAAD', 'ARIS', arisAdvanced, 'Designer', 'designers', 1, 1]),
  licence(['YAAA', 'ARIS', arisAdvanced, 'Architect', 'architects', 0, 0], obsolete),
  licence(['YAADS', 'ARIS', arisAdvanced, 'Designer SAP', 'designersSap', 0, 0], obsolete),
  licence(['YAABS', 'ARIS', arisAdvanced, 'EP business strategy', 'epBus', 0, 0], { obsolete: true, needs: 'YAAA' }),
  licence(['YAAEAM', 'ARIS', arisAdvanced, 'EP EAM', 'epEam', 0, 0], { obsolete: true, needs: 'YAAA' }),
  licence(['YAAAS', 'ARIS', arisAdvanced, 'Architect SAP', 'architectsSap', 0, 0], { obsolete: true, needs: 'YAAA' }),
  licence(['YPMBA', 'MINING', ['basic'], 'Analyst', 'yukonAnalyst', 1, 1]),
  licence(['YPMAA', 'MINING', ['advanced'], 'Analyst', 'yukonAnalyst', 1, 0]),
  licence(['YPMAE', 'MINING', ['advanced'], 'Engineer', 'yukonEngineer', 0, 0]),
  licence(['YPMAV', 'MINING', ['advanced'], 'Viewer', 'yukonViewer', 0, 0]),
  licence(['YPMEA', 'MINING', ['enterprise'], 'Analyst', 'yukonAnalyst', 1, 0]),
  licence(['YPMEE', 'MINING', ['enterprise'], 'Engineer', 'yukonEngineer', 0, 0]),
  licence(['YPMEV', 'MINING', ['enterprise'], 'Viewer', 'yukonViewer', 0, 0]),
  licence(['ESV', 'ENTERPRISE', ['enterprise-shared'], 'Viewer', 'esViewer', 0, 0], { types: namedOrConcurrent }),
  licence(['ESVP', 'ENTERPRISE', ['enterprise-shared'], 'Viewer pro', 'esViewerPro', 0, 0], { types: namedOrConcurrent }),
  licence(['ESD', 'ENTERPRISE', ['enterprise-shared'], 'Designer', 'esDesigner', 0, 0], { types: namedOrConcurrent }),
  licence(['ESA', 'ENTERPRISE', ['enterprise-shared'], 'Admin', 'esAdmin', 1, 1]),
  licence(['ESSC', 'ENTERPRISE', ['enterprise-shared'], 'SAP Calm server', null, 0, 0], { types: tenantWide, maximum: 1 }),
  licence(['ESAI', 'ENTERPRISE', ['enterprise-shared'], 'AI credits', 'aiCredits', 0, 0], { types: tenantWide }),
]

const analystOf = { basic: 'YPMBA', advanced: 'YPMAA', enterprise: 'YPMEA' } as const
const livingSizes = ['S', 'M', 'L', 'XL', '2XL', '3XL', '4XL'] as const

export const subLicences: readonly SubLicence[] = [
  {
    key: 'DataVolumeGB',
    product: 'MINING',
    editions: ['basic', 'advanced', 'enterprise'],
    label: 'Data volume (GB)',
    kind: 'data-volume',
    countedAs: 'yukonDataVolume',
    default: { basic: 10, advanced: 10, enterprise: 20 },
    minimum: 1,
    parent: analystOf,
  },
  processSize('YPMEF', ['advanced', 'enterprise'], 'Flex', 'process-flex'),
  processSize('YPMA1', ['advanced'], 'Living Process S', 'process-living'),
  ...livingSizes.map((size, index) =>
    processSize(`YPME${index + 1}`, ['enterprise'], `Living ${size}`, 'process-living'),
  ),
]

function processSize(key: string, editions: readonly Edition[], label: string, kind: SubLicence['kind']): SubLicence {
  return {
    key, product: 'MINING', editions, label, kind,
    countedAs: null, default: {}, minimum: 0, parent: analystOf,
  } // biome-ignore format: a record
}

export const editionsOf: Readonly<Record<Product, readonly Edition[]>> = {
  ARIS: ['basic', 'advanced', 'advanced-base-extension'],
  MINING: ['basic', 'advanced', 'enterprise'],
  ENTERPRISE: ['enterprise-shared'],
}

/** ENTERPRISE rooms choose one of these; rooms of every other product have NONE. */
export const choosableSubMiningTypes: readonly SubMiningType[] = ['MINING_BASIC', 'MINING_ENTERPRISE']

/** The licences a room of this product and edition can hold, in the order of the forms. */
export function licencesOf(product: Product, edition: Edition): Licence[] {
  return licences.filter((each) => each.product === product && each.editions.includes(edition))
}

/** The sub-licences a room of this product and edition can hold. */
export function subLicencesOf(product: Product, edition: Edition): SubLicence[] {
  return subLicences.filter((each) => each.product === product && each.editions.includes(edition))
}
