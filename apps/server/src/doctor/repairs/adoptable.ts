/** What the console can store of a room as its region describes it. */
import { editions, importedRoom, products } from '@roomkeeper/contract'
import type { RoomInfo } from '@roomkeeper/region-protocol'
import { z } from 'zod'
import { impossible } from './repair-kind.ts'

const shown = importedRoom.omit({ tmpFileName: true, backup: true })
export type Adoptable = z.output<typeof shown>

/** @throws Refusal for what cannot be stored or shown */
export function adoptable(info: RoomInfo): Adoptable {
  const { settings } = info
  if (settings === undefined) throw impossible('region-too-old')
  const product = products.find((each) => each === info.product)
  const edition = editions.find((each) => each === info.edition)
  if (product === undefined || edition === undefined) throw impossible('product-unknown')
  const { contacts, licences } = settings
  const form: Adoptable = {
    tenantName: info.name,
    product,
    edition,
    expirationDate: settings.expirationDate,
    customerFirstName: contacts.customerFirstName,
    customerLastName: contacts.customerLastName,
    customerEmail: contacts.ownerEmail,
    customerContactDetails: contacts.customerContactDetails,
    companyName: contacts.companyName,
    additionalEmail: contacts.delegateEmail,
    licenses: Object.fromEntries(licences.map(({ licenseKey, licenseAmount }) => [licenseKey, licenseAmount])),
    licensesInformation: licences,
    subLicenses: settings.subLicences,
    subMiningType: settings.subMiningType,
  }
  if (!z.safeEncode(shown, form).success || !canBeStored(form)) throw impossible('settings-impossible')
  return form
}

const longestText = 2000

function canBeStored(form: Adoptable): boolean {
  const texts: string[] = []
  JSON.stringify(form, (_, value) => {
    if (typeof value === 'string') texts.push(value)
    return value
  })
  return texts.every((text) => text.length <= longestText && text.isWellFormed() && !text.includes('\0'))
}
