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
  /** It answers a submit; otherwise somebody may be typing right now. */
  takesFocus: boolean
  onDecided: () => void
}

/** What was typed beside what is stored now, and the choice between the two. Nothing typed is lost before. */
export function ChangedMeanwhile({ conflict, takesFocus, onDecided }: ChangedMeanwhileProps) {
  const { t } = useTranslation('edit')
  const labelsOf = useFieldLabels()
  const wordsOf = useValueWords()
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
          rows={conflict.places.map((place) => ({ place }))}
          rowId={({ place }) => place}
          columns={[
            { id: 'field', title: t('meanwhile.field'), isName: true, cell: ({ place }) => labelsOf([place])[0] },
            { id: 'mine', title: t('meanwhile.mine'), cell: ({ place }) => wordsOf(place, mine.get(place) ?? '') },
            {
              id: 'stored',
              title: t('meanwhile.stored'),
              cell: ({ place }) => wordsOf(place, stored.get(place) ?? ''),
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

/** @returns a function that says the value at a place of the form as the form shows it. */
function useValueWords(): (place: string, value: FieldValue) => string {
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
