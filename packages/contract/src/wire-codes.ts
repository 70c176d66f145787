/**
 * The only file that knows the wire's numeric codes (specification 000 §3, 001 §4). Everywhere else every closed set is a
 * string union; wire-codecs.ts translates between the two. This file imports nothing: the console reads addresses of
 * pages by these sets before the sign-in, where zod would add 20 kB.
 */

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

export const findingSeverities = ['error', 'warning', 'info'] as const
export type FindingSeverity = (typeof findingSeverities)[number]

export const bulkActions = [
  'suspend',
  'resume',
  'retry',
  'delete',
  'backup',
  'move',
  'extend',
  'updateSystemDatabase',
  'notify',
  'label',
] as const
export type BulkAction = (typeof bulkActions)[number]

/** SKIPPED: the action was not possible for the room when its turn came. CANCELLED: it had not begun. */
export const bulkItemStates = ['FAILED', 'RUNNING', 'SKIPPED', 'WAITING', 'CANCELLED', 'DONE'] as const
export type BulkItemState = (typeof bulkItemStates)[number]

export const customerOrders = ['name', 'rooms'] as const

export const labelColours = ['red', 'orange', 'yellow', 'green', 'teal', 'blue', 'purple', 'pink'] as const
export type LabelColour = (typeof labelColours)[number]

export const tokenStates = ['active', 'expired', 'revoked'] as const
export type TokenState = (typeof tokenStates)[number]

/**
 * What became of a delivery; `ended`: its 3 days are over, its webhook was switched off, the mail server refused the
 * address for good, the e-mail was not needed any more, or did not answer a second time whether it accepts the e-mail.
 */
export const deliveryStates = ['waiting', 'delivered', 'ended'] as const
export type DeliveryState = (typeof deliveryStates)[number]
