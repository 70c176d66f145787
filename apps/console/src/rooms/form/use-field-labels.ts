import { licences, roomFieldsWith, roomTextsIn, subLicences } from '@roomkeeper/contract'
import { useTranslation } from 'react-i18next'

const texts = roomFieldsWith('form')
const ofRoom = ['tenantName', 'product', 'edition', 'subMiningType', 'region', 'expirationDate', 'process'] as const
const ofContract = ['sapNumber', 'sapNumberLast', 'productType'] as const
const withOwnInputs = [...ofRoom, ...ofContract]

/** The fields in the order of the page. */
const fields: readonly string[] = [
  ...ofRoom,
  ...roomTextsIn('users'),
  ...roomTextsIn('customer'),
  ...ofContract,
  ...roomTextsIn('sales'),
]

/** @returns a function that gives the labels of the fields at some paths, in the order of the page */
export function useFieldLabels(): (paths: readonly string[]) => string[] {
  const { t } = useTranslation(['form', 'rooms'])
  const licenceLabel = useLicenceLabel()
  const labelOf = (path: string) => {
    const text = texts.find((each) => each === path)
    if (text !== undefined) return t(`rooms:fields.${text}.label`)
    const field = withOwnInputs.find((each) => each === path)
    if (field !== undefined) return t(`field.${field}`)
    const key = path.slice(path.indexOf('.') + 1)
    if (![...licences, ...subLicences].some((each) => each.key === key)) return path
    const label = licenceLabel(key)
    return path.startsWith('licensesInformation.') ? t('licence.typeOf', { licence: label }) : label
  }
  return (paths) => paths.toSorted((one, other) => rankOnPage(one) - rankOnPage(other)).map(labelOf)
}

/** Licences are between the room's own fields and its process size. */
function rankOnPage(path: string): number {
  const index = fields.indexOf(path)
  return index === -1 ? fields.indexOf('process') - 0.5 : index
}

/** @returns a function that gives the label of a licence or sub-licence by its key; an unknown key is its own label */
export function useLicenceLabel(): (key: string) => string {
  const { t, i18n } = useTranslation('form')
  return (key) => (i18n.exists(`form:licences.${key}`) ? t(`licences.${key as 'YABV'}`) : key)
}
