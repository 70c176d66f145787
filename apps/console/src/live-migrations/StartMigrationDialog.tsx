import { Button, Checkbox, Group, Stack, Text } from '@mantine/core'
import type { LiveMigration } from '@roomkeeper/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client, useIdempotencyKey } from '#api/client.ts'
import { openDialog, useCloseDialog } from '#ui/dialog/open-dialogs.ts'
import { FormDialog, useRequestClose, useUnsavedEntries } from '#ui/form/FormDialog.tsx'
import { useNumberFormat } from '#ui/format.ts'
import { ProblemAlert } from '#ui/ProblemAlert.tsx'
import { PickRoomsDialog } from './PickRoomsDialog.tsx'
import { Preflight } from './Preflight.tsx'
import { countOf, noRooms, type PickedRooms, wireOf } from './picked-rooms.ts'
import { useMigrationName, useShownMigration, whyNotStart } from './queries.ts'
import { useConfirmChange } from './use-migration-questions.ts'

/** Asks which rooms to move, and whether to include rooms in use. */
export function StartMigrationDialog({ migration }: { migration: LiveMigration }) {
  const { t } = useTranslation('migrations')
  return (
    <FormDialog title={t('start.title')} width="choice">
      <StartForm migration={useShownMigration(migration)} />
    </FormDialog>
  )
}

function StartForm({ migration }: { migration: LiveMigration }) {
  const { t } = useTranslation(['migrations', 'app'])
  const number = useNumberFormat()
  const left = useLeftChoice(migration)
  const [picked, setPicked] = useState(left.choice?.picked ?? noRooms)
  useEffect(left.forget, [])
  const [skips, setSkips] = useState(left.choice?.skips ?? false)
  const [lacksRooms, setLacksRooms] = useState(false)
  const start = useStart(migration)
  const cancel = useRequestClose()
  const count = countOf(picked)
  useUnsavedEntries(() => count > 0)
  return (
    <Stack gap="md">
      <Text fw={500}>{useMigrationName()(migration)}</Text>
      <div>
        <Button
          variant="default"
          fullWidth
          data-autofocus
          onClick={() => openDialog(<PickRoomsDialog migration={migration} initial={picked} onPicked={setPicked} />)}
        >
          {t('start.select')}
        </Button>
        <Text size="sm" c="dimmed" mt={4} role="status">
          {t('start.selected', { n: number.format(count) })}
        </Text>
      </div>
      <Checkbox
        label={t('start.skip')}
        description={t('start.skipHint')}
        checked={skips}
        onChange={(event) => setSkips(event.currentTarget.checked)}
      />
      {lacksRooms && count === 0 && <ProblemAlert kind="warning">{t('start.lacksRooms')}</ProblemAlert>}
      <Group justify="flex-end">
        <Button variant="default" onClick={cancel}>
          {t('app:cancel')}
        </Button>
        <Button onClick={() => (count === 0 ? setLacksRooms(true) : void start(picked, skips))}>
          {t('rowActions.start')}
        </Button>
      </Group>
    </Stack>
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
    const body = { liveMigrationData: { id: migration.id }, ...wireOf(picked), skippActiveSessions }
    // The same rooms may be moved again later, which is another start with another key.
    const headers = keyOf({ ...body, after: migration.startDate })
    const isStarted = await confirmChange({
      title: t('start.confirm'),
      width: 'most',
      question: t('start.question'),
      consequence: t('start.consequence', { name, n: number.format(countOf(picked)) }),
      details: (
        <Preflight migration={migration} picked={picked} skippActiveSessions={skippActiveSessions} onLeave={onLeave} />
      ),
      confirm: t('start.confirm'),
      useWhyNot: whyNotStart(() => [{ id: migration.id, picked, skippActiveSessions }]),
      failed: t('start.failed'),
      done: t('start.done'),
      run: async (accept) => accept((await client.call('startLiveMigration', { body, headers })).body.operationId),
    })
    if (isStarted) close()
  }
}
