import { Button, Group } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../ProblemAlert.tsx'
import { Table } from '../table/Table.tsx'
import classes from './StoredMeanwhile.module.css'

/** A field whose entry differs from what another operator has stored meanwhile. */
export interface DifferingField {
  label: string
  mine: ReactNode
  stored: ReactNode
}

interface StoredMeanwhileProps {
  title: string
  fields: readonly DifferingField[]
  /** Whether to focus the alert, after a submit. Otherwise the operator may be typing. */
  takesFocus?: boolean
  onTakeStored: () => void
  onKeepMine: () => void
}

/** Shows the entries beside the stored values, to choose between them. No entry is lost before the choice. */
export function StoredMeanwhile({ title, fields, takesFocus = true, onTakeStored, onKeepMine }: StoredMeanwhileProps) {
  const { t } = useTranslation('meanwhile')
  const alert = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (takesFocus) alert.current?.focus()
  }, [takesFocus])
  return (
    <ProblemAlert kind="warning" ref={alert} tabIndex={-1} data-wide className={classes.alert ?? ''} title={title}>
      {t('text')}
      <div className={classes.values}>
        <Table
          isDense
          rows={fields}
          rowId={({ label }) => label}
          columns={[
            { id: 'field', title: t('field'), isName: true, cell: ({ label }) => label },
            { id: 'mine', title: t('mine'), cell: ({ mine }) => mine },
            { id: 'stored', title: t('stored'), cell: ({ stored }) => stored },
          ]}
        />
      </div>
      <Group gap="xs">
        <Button variant="default" size="xs" onClick={onTakeStored}>
          {t('takeStored')}
        </Button>
        <Button variant="default" size="xs" onClick={onKeepMine}>
          {t('keepMine')}
        </Button>
      </Group>
    </ProblemAlert>
  )
}
