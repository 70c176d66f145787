import { Button, Text } from '@mantine/core'
import type { LiveMigration } from '@roomkeeper/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { client, useIdempotencyKey } from '#api/client.ts'
import { openDialog, useCloseDialog } from '#ui/dialog/open-dialogs.ts'
import { CheckField } from '#ui/form/Fields.tsx'
import { DialogButtons, Form } from '#ui/form/Form.tsx'
import { FormDialog } from '#ui/form/FormDialog.tsx'
import type { FormErrors } from '#ui/form/resource-form.ts'
import { useResourceForm } from '#ui/form/use-resource-form.ts'
import { useNumberFormat } from '#ui/format.ts'
import { ProblemAlert } from '#ui/ProblemAlert.tsx'
import { countOf, noneSelected } from '#ui/table/selected-rows.ts'
import { PickRoomsDialog } from './PickRoomsDialog.tsx'
import { Preflight } from './Preflight.tsx'
import { migrationSelectionOf, type PickedRooms } from './picked-rooms.ts'
import { useMigrationName, useShownMigration, whyNotStart } from './queries.ts'
import { useConfirmChange } from './use-migration-questions.ts'

/** Asks which rooms to move, and whether to include rooms in use. */
export function StartMigrationDialog({ migration }: { migration: LiveMigration }) {
  const { t } = useTranslation('migrations')
  return (
    <FormDialog title={t('start.title')} width="third">
      <StartForm migration={useShownMigration(migration)} />
    </FormDialog>
  )
}

function StartForm({ migration }: { migration: LiveMigration }) {
  const { t } = useTranslation('migrations')
  const number = useNumberFormat()
  const left = useLeftChoice(migration)
  useEffect(left.forget, [])
  const start = useStart(migration)
  const initial: Choice = left.choice ?? { picked: noneSelected, skips: false }
  const form = useResourceForm({
    initial,
    showsErrors: 'after-submit',
    checks: ({ picked }): FormErrors => (countOf(picked) === 0 ? { picked: t('start.lacksRooms') } : {}),
    // Until the run has started: the question before may be answered with no.
    isUnsaved: ({ picked, skips }) => countOf(picked) > 0 || skips,
    submit: ({ picked, skips }) => start(picked, skips),
  })
  const { picked } = form.values
  const lacksRooms = form.errorAt('picked')
  const pick = (now: PickedRooms) => form.set({ picked: now })
  return (
    <Form form={form}>
      <Text fw={500}>{useMigrationName()(migration)}</Text>
      <div data-path="picked">
        <Button
          variant="default"
          fullWidth
          onClick={() => openDialog(<PickRoomsDialog migration={migration} initial={picked} onPicked={pick} />)}
        >
          {t('start.select')}
        </Button>
        <Text size="sm" c="dimmed" mt="2xs" role="status">
          {t('start.selected', { n: number.format(countOf(picked)) })}
        </Text>
      </div>
      <CheckField name="skips" label={t('start.skip')} description={t('start.skipHint')} />
      {lacksRooms !== undefined && <ProblemAlert kind="warning">{lacksRooms}</ProblemAlert>}
      <DialogButtons submit={t('rowActions.start')} />
    </Form>
  )
}

interface Choice {
  picked: PickedRooms
  skips: boolean
}

/** What was chosen when a link led away from this dialog. Forgotten with the session, like all data of its operator. */
function useLeftChoice({ id }: LiveMigration) {
  const cache = useQueryClient()
  const queryKey = ['live-migrations', 'left-choice', id]
  return {
    choice: cache.getQueryData<Choice>(queryKey),
    leave: (choice: Choice) => {
      // However long the way back takes.
      cache.setQueryDefaults(queryKey, { gcTime: Number.POSITIVE_INFINITY })
      cache.setQueryData(queryKey, choice)
    },
    forget: () => cache.removeQueries({ queryKey }),
  }
}

/** @returns a function that shows what would become of each room, asks, starts the run and closes the dialog */
function useStart(migration: LiveMigration) {
  const { t } = useTranslation('migrations')
  const number = useNumberFormat()
  const name = useMigrationName()(migration)
  const keyOf = useIdempotencyKey()
  const confirmChange = useConfirmChange()
  const close = useCloseDialog()
  const left = useLeftChoice(migration)
  return async (picked: PickedRooms, skippActiveSessions: boolean) => {
    const onLeave = () => {
      left.leave({ picked, skips: skippActiveSessions })
      close()
    }
    const body = { liveMigrationData: { id: migration.id }, ...migrationSelectionOf(picked), skippActiveSessions }
    // The same rooms may be moved again later, which is another start with another key.
    const headers = keyOf({ ...body, after: migration.startDate })
    const isStarted = await confirmChange({
      title: t('start.confirm'),
      isLong: true,
      question: t('start.question'),
      consequence: t('start.consequence', { name, n: number.format(countOf(picked)) }),
      details: (
        <Preflight migration={migration} picked={picked} skippActiveSessions={skippActiveSessions} onLeave={onLeave} />
      ),
      confirm: t('start.confirm'),
      useWhyNot: whyNotStart(migration.id, picked, skippActiveSessions),
      failed: t('start.failed'),
      done: t('start.done'),
      run: async (accept) => accept((await client.call('startLiveMigration', { body, headers })).body.operationId),
    })
    if (isStarted) close()
  }
}
