/** Fills the form for a new room with what the manifest of a backup says. */
import type { BackupContents, ImportedRoom } from '@roomkeeper/contract'
import type { BackupManifest } from '@roomkeeper/region-protocol'

export function importedRoomOf(tmpFileName: string, manifest: BackupManifest, backup: BackupContents): ImportedRoom {
  const { contacts, licences } = manifest
  return {
    tmpFileName,
    backup,
    tenantName: manifest.room,
    product: manifest.product,
    edition: manifest.edition,
    expirationDate: manifest.expirationDate,
    customerFirstName: contacts.customerFirstName,
    customerLastName: contacts.customerLastName,
    customerEmail: contacts.ownerEmail,
    customerContactDetails: contacts.customerContactDetails,
    companyName: contacts.companyName,
    additionalEmail: contacts.delegateEmail,
    licenses: Object.fromEntries(licences.map(({ licenseKey, licenseAmount }) => [licenseKey, licenseAmount])),
    licensesInformation: licences,
    subLicenses: manifest.subLicences,
    subMiningType: manifest.subMiningType,
  }
}
