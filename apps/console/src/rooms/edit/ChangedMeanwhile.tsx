import { licences, licenceTypes, subMiningTypes, withHiddenMarked } from '@roomkeeper/contract'
import { useTranslation } from 'react-i18next'
import { textOfRefusal } from '#ui/coded-text.ts'
import { formatDay, parseDay } from '#ui/day.ts'
import { StoredMeanwhile } from '#ui/form/StoredMeanwhile.tsx'
import { useNumberFormat } from '#ui/format.ts'
import { useFieldLabels, useLicenceLabel } from '../form/use-field-labels.ts'
import { type FieldValue, valuesOf } from './edit-form.ts'
import type { Conflict } from './use-edit-form.ts'

interface ChangedMeanwhileProps {
  conflict: Conflict
  /** Whether to focus the alert, after a submit. Otherwise the operator may be typing. */
  takesFocus: boolean
  onDecided: () => void
}

/** Shows the entries beside the stored values, to choose between them. No entry is lost before the choice. */
export function ChangedMeanwhile({ conflict, takesFocus, onDecided }: ChangedMeanwhileProps) {
  const labelsOf = useFieldLabels()
  const textsOf = useValueTexts()
  const decide = (choice: () => void) => () => {
    choice()
    onDecided()
  }
  const mine = valuesOf(conflict.mine)
  const stored = valuesOf(conflict.stored)
  return (
    <StoredMeanwhile
      title={textOfRefusal('version-stale')}
      takesFocus={takesFocus}
      fields={conflict.paths.map((path) => ({
        label: labelsOf([path])[0] ?? path,
        mine: textsOf(path, mine.get(path) ?? ''),
        stored: textsOf(path, stored.get(path) ?? ''),
      }))}
      onTakeStored={decide(conflict.takeStored)}
      onKeepMine={decide(conflict.keepMine)}
    />
  )
}

/** @returns a function that formats the value at a path as the form shows it */
function useValueTexts(): (path: string, value: FieldValue) => string {
  const { t } = useTranslation('form')
  const labelOf = useLicenceLabel()
  const number = useNumberFormat()
  return (path, value) => {
    const [field = '', key] = path.split('.')
    if (path === 'expirationDate') return dayText(String(value))
    if (value === '') return '–'
    if (path === 'process') return labelOf(String(value))
    const subMiningType = subMiningTypes.find((each) => each === value)
    if (path === 'subMiningType' && subMiningType !== undefined) return t(`subMiningType.${subMiningType}`)
    const type = licenceTypes.find((each) => each === value)
    if (field === 'licensesInformation' && type !== undefined) return t(`licenceType.${type}`)
    const isFlag = field === 'licenses' && licences.find((each) => each.key === key)?.maximum === 1
    if (isFlag) return t(value === 0 ? 'licence.disabled' : 'licence.enabled')
    return typeof value === 'number' ? number.format(value) : withHiddenMarked(value)
  }

  function dayText(value: string): string {
    if (value === '') return t('unlimited')
    return parseDay(value) === null ? value : formatDay(value)
  }
}
