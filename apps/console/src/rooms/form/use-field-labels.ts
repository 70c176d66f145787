import { licences, roomFieldsWith, roomTextsIn, subLicences } from '@roomkeeper/contract'
import { useTranslation } from 'react-i18next'
import { useMessages } from './use-messages.ts'

const texts = roomFieldsWith('form')
const ofRoom = ['tenantName', 'product', 'edition', 'subMiningType', 'region', 'expirationDate', 'process'] as const
const ofContract = ['sapNumber', 'sapNumberLast', 'productType'] as const
const withOwnInputs = [...ofRoom, ...ofContract]

/** In the order of the page. */
const fields: readonly string[] = [
  ...ofRoom,
  ...roomTextsIn('users'),
  ...roomTextsIn('customer'),
  ...ofContract,
  ...roomTextsIn('sales'),
]

/** @returns a function that names the fields at some paths of the form as their labels do, in the order of the page. */
export function useFieldLabels(): (paths: readonly string[]) => string[] {
  const { t } = useTranslation(['form', 'rooms'])
  const translated = useMessages()
  const labelOf = (path: string) => {
    const text = texts.find((each) => each === path)
    if (text !== undefined) return t(`rooms:fields.${text}.label`)
    const field = withOwnInputs.find((each) => each === path)
    if (field !== undefined) return t(`field.${field}`)
    const key = path.slice(path.indexOf('.') + 1)
    const licence = [...licences, ...subLicences].find((each) => each.key === key)
    if (licence === undefined) return path
    const label = translated(licence.label)
    return path.startsWith('licensesInformation.') ? t('licence.typeOf', { licence: label }) : label
  }
  return (paths) => paths.toSorted((one, other) => placeOnPage(one) - placeOnPage(other)).map(labelOf)
}

/** Licences stand between the room's own fields and its process size. */
function placeOnPage(path: string): number {
  const index = fields.indexOf(path)
  return index === -1 ? fields.indexOf('process') - 0.5 : index
}
