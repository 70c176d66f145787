import { licences, licenceTypes, subMiningTypes } from '@roomkeeper/contract'
import { useTranslation } from 'react-i18next'
import { formatDay, parseDay } from '#ui/day.ts'
import { useNumberFormat } from '#ui/format.ts'
import { useLicenceLabel } from '../form/use-licence-label.ts'
import type { FieldValue } from './edit-form.ts'

/** @returns a function that says the value at a place of the form as the form shows it. */
export function useValueWords(): (place: string, value: FieldValue) => string {
  const { t } = useTranslation('form')
  const labelOf = useLicenceLabel()
  const number = useNumberFormat()
  return (place, value) => {
    const [field = '', key] = place.split('.')
    if (place === 'expirationDate') return dayWords(String(value))
    if (value === '') return '–'
    if (place === 'process') return labelOf(String(value))
    const subMiningType = subMiningTypes.find((each) => each === value)
    if (place === 'subMiningType' && subMiningType !== undefined) return t(`subMiningType.${subMiningType}`)
    const type = licenceTypes.find((each) => each === value)
    if (field === 'licensesInformation' && type !== undefined) return t(`licenceType.${type}`)
    const isFlag = field === 'licenses' && licences.find((each) => each.key === key)?.maximum === 1
    if (isFlag) return t(value === 0 ? 'licence.disabled' : 'licence.enabled')
    return typeof value === 'number' ? number.format(value) : value
  }

  function dayWords(value: string): string {
    if (value === '') return t('unlimited')
    return parseDay(value) === null ? value : formatDay(value)
  }
}
