import { Button, Group } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { textOfRefusal } from '#ui/coded-text.ts'
import { ProblemAlert } from '#ui/ProblemAlert.tsx'
import { Table } from '#ui/table/Table.tsx'
import { useFieldLabels } from '../form/use-field-labels.ts'
import classes from './EditForm.module.css'
import { valuesOf } from './edit-form.ts'
import type { Conflict } from './use-edit-form.ts'
import { useValueWords } from './use-value-words.ts'

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
