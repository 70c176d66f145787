import { licences, licenceTypes, subMiningTypes, withHiddenMarked } from '@roomkeeper/contract'
import { useTranslation } from 'react-i18next'
import { formatDay } from '#ui/day.ts'
import { useNumberFormat } from '#ui/format.ts'
import { useLicenceLabel } from './use-field-labels.ts'

/** @returns a function that says the value of the field at a path as the form shows it; an unknown value is shown as it is */
export function useFieldTexts(): (path: string, value: unknown) => string {
  const { t } = useTranslation('form')
  const licenceLabel = useLicenceLabel()
  const number = useNumberFormat()
  return (path, value) => {
    const [field, key] = path.split('.')
    if (value === null || value === undefined || value === '') return path === 'expirationDate' ? t('unlimited') : '–'
    const isFlag = field === 'licenses' && licences.find((each) => each.key === key)?.maximum === 1
    if (isFlag) return t(value === 0 ? 'licence.disabled' : 'licence.enabled')
    if (typeof value === 'number') return number.format(value)
    const text = String(value)
    if (path === 'process') return licenceLabel(text)
    const day = /^(\d{4}-\d{2}-\d{2})(T00:00:00.*)?$/.exec(text)?.[1]
    if (path === 'expirationDate' && day !== undefined) return formatDay(day)
    const mining = subMiningTypes.find((each) => each === text)
    if (path === 'subMiningType' && mining !== undefined) return t(`subMiningType.${mining}`)
    const type = licenceTypes.find((each) => each === text)
    if (field === 'licensesInformation' && type !== undefined) return t(`licenceType.${type}`)
    return withHiddenMarked(text)
  }
}
