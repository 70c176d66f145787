import { Button, Group } from '@mantine/core'
import { refusals } from '@roomkeeper/contract'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '#ui/ProblemAlert.tsx'
import { useFieldLabels } from '../form/use-field-labels.ts'
import { useMessages } from '../form/use-messages.ts'
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
  const translated = useMessages()
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
      title={translated(refusals['version-stale'].detail)}
    >
      {t('meanwhile.text')}
      <table className={classes.values}>
        <thead>
          <tr>
            <th scope="col">{t('meanwhile.field')}</th>
            <th scope="col">{t('meanwhile.mine')}</th>
            <th scope="col">{t('meanwhile.stored')}</th>
          </tr>
        </thead>
        <tbody>
          {conflict.places.map((place) => (
            <tr key={place}>
              <th scope="row">{labelsOf([place])[0]}</th>
              <td>{wordsOf(place, mine.get(place) ?? '')}</td>
              <td>{wordsOf(place, stored.get(place) ?? '')}</td>
            </tr>
          ))}
        </tbody>
      </table>
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
