import { Button, Group } from '@mantine/core'
import { licences, licenceTypes, subMiningTypes } from '@roomkeeper/contract'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { textOfRefusal } from '#ui/coded-text.ts'
import { formatDay, parseDay } from '#ui/day.ts'
import { useNumberFormat } from '#ui/format.ts'
import { ProblemAlert } from '#ui/ProblemAlert.tsx'
import { Table } from '#ui/table/Table.tsx'
import { useFieldLabels, useLicenceLabel } from '../form/use-field-labels.ts'
import classes from './EditForm.module.css'
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
  const { t } = useTranslation('edit')
  const labelsOf = useFieldLabels()
  const textsOf = useValueTexts()
  const alert = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (takesFocus) alert.current?.focus()
  }, [takesFocus])
  const decide = (choice: () => void) => () => {
    choice()
    onDecided()
  }
  const mine = valuesOf(conflict.mine)
  const stored = valuesOf(conflict.stored)
  return (
    <ProblemAlert
      kind="warning"
      ref={alert}
      tabIndex={-1}
      className={classes.meanwhile ?? ''}
      title={textOfRefusal('version-stale')}
    >
      {t('meanwhile.text')}
      <div className={classes.values}>
        <Table
          isDense
          rows={conflict.paths.map((path) => ({ path }))}
          rowId={({ path }) => path}
          columns={[
            { id: 'field', title: t('meanwhile.field'), isName: true, cell: ({ path }) => labelsOf([path])[0] },
            { id: 'mine', title: t('meanwhile.mine'), cell: ({ path }) => textsOf(path, mine.get(path) ?? '') },
            {
              id: 'stored',
              title: t('meanwhile.stored'),
              cell: ({ path }) => textsOf(path, stored.get(path) ?? ''),
            },
          ]}
        />
      </div>
      <Group gap="xs">
        <Button variant="default" size="xs" onClick={decide(conflict.takeStored)}>
          {t('meanwhile.takeStored')}
        </Button>
        <Button variant="default" size="xs" onClick={decide(conflict.keepMine)}>
          {t('meanwhile.keepMine')}
        </Button>
      </Group>
    </ProblemAlert>
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
    return typeof value === 'number' ? number.format(value) : value
  }

  function dayText(value: string): string {
    if (value === '') return t('unlimited')
    return parseDay(value) === null ? value : formatDay(value)
  }
}
