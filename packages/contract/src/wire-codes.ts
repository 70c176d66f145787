/**
 * The only file that knows the wire's numeric codes (specification 000 §3, 001 §4).
 * Everywhere else every closed set is a string union; the codecs below translate between the two.
 */
import { z } from 'zod'
import { coded } from './field-errors.ts'

export const productCodes = { ARIS: 0, MINING: 1, ENTERPRISE: 2 } as const
export const editionCodes = {
  basic: 0,
  advanced: 1,
  enterprise: 2,
  'advanced-base-extension': 3,
  'enterprise-shared': 4,
} as const
export const salesChannelCodes = { 'direct-sales': 1, 'online-shop': 2 } as const
export const roleCodes = {
  CLOUD_SUPPORT: 0,
  CLOUD_SALES: 1,
  CLOUD_OPERATOR: 2,
  CLOUD_ADMINISTRATOR: 3,
} as const
export const regionStateCodes = { disabled: 0, enabled: 1 } as const
export const processTypeCodes = {
  'Create PR': 0,
  'Backup PR': 1,
  'Restore PR': 2,
  'Delete PR': 3,
  'Upgrade PR': 4,
  'Suspend PR': 5,
  'Resume PR': 6,
  'Live migration Create': 7,
  'Live migration Backup': 8,
  'Live migration Restore': 9,
  'Import PR': 10,
  'Backup DB': 30,
  'Restore DB': 31,
  'Delete DB': 32,
  'Is active session': 61,
  'Is tenant locked': 62,
  'Name already exists': 63,
  'Update system DB': 64,
} as const

export type Product = keyof typeof productCodes
export type Edition = keyof typeof editionCodes
export type SalesChannel = keyof typeof salesChannelCodes
export type Role = keyof typeof roleCodes
export type RegionState = keyof typeof regionStateCodes
export type ProcessType = keyof typeof processTypeCodes

/** The names of a code table, in the order of their numbers. */
export function namesOf<Name extends string>(codes: Record<Name, number>): [Name, ...Name[]] {
  const names = Object.keys(codes) as Name[]
  return names.sort((a, b) => codes[a] - codes[b]) as [Name, ...Name[]]
}

export const products = namesOf(productCodes)
export const editions = namesOf(editionCodes)
export const salesChannels = namesOf(salesChannelCodes)
export const roles = namesOf(roleCodes)

/** These sets are names on the wire too, not numbers. */
export const projectRoomStates = [
  'DEFAULT',
  'MARKED_FOR_DELETION',
  'ERROR',
  'DISABLED_REGION',
  'SUSPENDED',
  'IN_PROGRESS',
] as const
export type ProjectRoomState = (typeof projectRoomStates)[number]

export const subMiningTypes = ['NONE', 'MINING_BASIC', 'MINING_ENTERPRISE'] as const
export type SubMiningType = (typeof subMiningTypes)[number]

export const licenceTypes = ['NUC', 'CUC', 'TEN'] as const
export type LicenceType = (typeof licenceTypes)[number]

type UnknownCode =
  | 'product-unknown'
  | 'edition-unknown'
  | 'sales-channel-unknown'
  | 'role-unknown'
  | 'region-state-unknown'
  | 'process-type-unknown'

/** A number on the wire, a name inside. An unknown number is an ordinary validation issue. */
function codec<Name extends string>(unknown: UnknownCode, codes: Record<Name, number>) {
  const names = namesOf(codes)
  const byNumber = new Map(names.map((name) => [codes[name], name]))
  const known = names.map((name) => `${codes[name]} (${name})`).join(', ')
  const message = coded(unknown, { known })
  const number = z
    .int({ error: message })
    // For the OpenAPI document.
    .meta({ enum: names.map((name) => codes[name]), description: `${known}.` })
  return z.codec(number, z.enum(names), {
    decode: (code, context) => {
      const name = byNumber.get(code)
      if (name !== undefined) return name
      context.issues.push({
        code: 'custom',
        input: code,
        message,
        // For `readLeniently`.
        params: { known: codes[names[0] as Name] },
      })
      return z.NEVER
    },
    encode: (name) => codes[name],
  })
}

export const productCode = codec('product-unknown', productCodes)
export const editionCode = codec('edition-unknown', editionCodes)
export const salesChannelCode = codec('sales-channel-unknown', salesChannelCodes)
export const roleCode = codec('role-unknown', roleCodes)
export const regionStateCode = codec('region-state-unknown', regionStateCodes)
export const processTypeCode = codec('process-type-unknown', processTypeCodes)
