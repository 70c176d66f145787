/** Makes valid input for tests, so that a test names only the fields that matter to it. */
import type { BodyGiven, Role, Routes } from '@roomkeeper/contract'

export type RoomDraftGiven = BodyGiven<Routes['createRoom']>

let counter = 0
/** A valid room name, unique within a run. */
export function uniqueRoomName(prefix = 'room'): string {
  counter += 1
  return `${prefix}${Date.now().toString(36).slice(-5)}${counter.toString(36)}`
}

export function roomDraft(given: Partial<RoomDraftGiven> = {}): RoomDraftGiven {
  return {
    tenantName: uniqueRoomName(),
    product: 'ARIS',
    edition: 'basic',
    region: 1,
    sapNumber: '4711',
    customerFirstName: 'Øyvind',
    customerLastName: "O'Neil",
    customerEmail: 'owner@example.com',
    companyName: 'Example, Inc.',
    salesmanEmail: 'sales@example.com',
    licenses: { YABD: 1 },
    ...given,
  }
}

export function miningDraft(given: Partial<RoomDraftGiven> = {}): RoomDraftGiven {
  return roomDraft({
    product: 'MINING',
    edition: 'advanced',
    licenses: { YPMAA: 1 },
    subLicenses: [
      { licenseKey: 'DataVolumeGB', subLicenseAmount: 10, productKey: 'YPMAA' },
      { licenseKey: 'YPMEF', subLicenseAmount: 1, productKey: 'YPMAA' },
    ],
    ...given,
  })
}

export function enterpriseDraft(given: Partial<RoomDraftGiven> = {}): RoomDraftGiven {
  return roomDraft({
    product: 'ENTERPRISE',
    edition: 'enterprise-shared',
    subMiningType: 'MINING_BASIC',
    licenses: { ESA: 1, ESV: 5 },
    licensesInformation: [{ licenseKey: 'ESV', licenseAmount: 5, licenseType: 'CUC' }],
    ...given,
  })
}

export function operatorDraft(role: Role) {
  const email = `${role.toLowerCase().replace('_', '.')}@example.com`
  return { email, name: `Test ${role}`, role, password: `password of ${role}` }
}
