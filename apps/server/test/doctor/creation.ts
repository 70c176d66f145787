import type { RoomCreation } from '@roomkeeper/region-protocol'

/** What the console would send to a region to create `roomDraft()`. */
export function creation(roomId: string): RoomCreation {
  return {
    roomId,
    product: 'ARIS',
    edition: 'basic',
    licences: [
      { licenseKey: 'YABV', licenseAmount: 0, licenseType: 'NUC' },
      { licenseKey: 'YABD', licenseAmount: 1, licenseType: 'NUC' },
    ],
    subLicences: [],
    subMiningType: 'NONE',
    expirationDate: null,
    contacts: {
      companyName: 'Example, Inc.',
      customerFirstName: 'Øyvind',
      customerLastName: "O'Neil",
      customerContactDetails: null,
      ownerEmail: 'owner@example.com',
      delegateEmail: null,
    },
  }
}
