import { Box, Button, Group } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { textOfRefusal } from '#locales/error-texts.ts'
import { ProblemAlert } from '../ProblemAlert.tsx'
import { Table } from '../table/Table.tsx'
import { FormFailure, type FormFailureProps } from './Form.tsx'
import { useFormContext } from './resource-form.ts'
import type { Conflict } from './use-stored-form.ts'

interface FormOutcomeProps<Values, Setting extends string>
  extends FormFailureProps,
    Omit<FormConflictProps<Values, Setting>, 'conflict'> {
  conflict: Conflict<Values, Setting> | null
}

/** The conflict of a form with what is stored; without one, why the last attempt to save failed. */
export function FormOutcome<Values, Setting extends string>(props: FormOutcomeProps<Values, Setting>) {
  const { title, isAlwaysShown, conflict, ...texts } = props
  if (conflict === null) return <FormFailure title={title} isAlwaysShown={isAlwaysShown} />
  return <FormConflict conflict={conflict} {...texts} />
}

interface FormConflictProps<Values, Setting extends string> {
  conflict: Conflict<Values, Setting>
  labelOf: (setting: Setting) => string
  /** The text of a setting, as the form shows it; a dash is shown for an empty one. */
  textOf: (setting: Setting, values: Values) => string
}

/** Shows the entries beside the stored values, to choose between them. No entry is lost before the choice. */
export function FormConflict<Values, Setting extends string>({
  conflict: { mine, stored, differing, refusal, takeStored, keepMine },
  labelOf,
  textOf,
}: FormConflictProps<Values, Setting>) {
  const { t } = useTranslation('meanwhile')
  const { failure, root } = useFormContext()
  const alert = useRef<HTMLDivElement>(null)
  // Otherwise the operator may be typing.
  const isAfterSubmit = failure !== null
  useEffect(() => {
    if (isAfterSubmit) alert.current?.focus()
  }, [isAfterSubmit])
  const fields = differing.map((setting) => ({
    label: labelOf(setting),
    mine: textOf(setting, mine) || '–',
    stored: textOf(setting, stored) || '–',
  }))
  const decide = (choice: () => void) => () => {
    choice()
    root.current?.querySelector<HTMLElement>('[data-path]:enabled')?.focus()
  }
  return (
    <ProblemAlert kind="warning" ref={alert} tabIndex={-1} data-wide title={textOfRefusal(refusal)}>
      {t('text')}
      {/* Both may have entered the same. */}
      {fields.length > 0 && (
        <Box my="xs">
          <Table
            isDense
            rows={fields}
            rowId={({ label }) => label}
            columns={[
              { id: 'field', title: t('field'), isName: true, cell: ({ label }) => label },
              { id: 'mine', title: t('mine'), cell: (field) => field.mine },
              { id: 'stored', title: t('stored'), cell: (field) => field.stored },
            ]}
          />
        </Box>
      )}
      <Group gap="xs">
        <Button variant="default" size="xs" onClick={decide(takeStored)}>
          {t('takeStored')}
        </Button>
        {fields.length > 0 && (
          <Button variant="default" size="xs" onClick={decide(keepMine)}>
            {t('keepMine')}
          </Button>
        )}
      </Group>
    </ProblemAlert>
  )
}
