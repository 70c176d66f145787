import { Button, Checkbox, Group, Select, Stack, Text } from '@mantine/core'
import type { LiveMigration, ProjectRoom } from '@roomkeeper/contract'
import { whyNotStartMigration } from '@roomkeeper/rules'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client, useIdempotencyKey } from '#api/client.ts'
import { liveMigrationsQuery, regionsQuery } from '#api/queries.ts'
import { textOf } from '#api/text-of-error.ts'
import { Dialog } from '#ui/dialog/Dialog.tsx'
import { useCloseDialog } from '#ui/dialog/open-dialogs.ts'
import { useNumberFormat } from '#ui/format.ts'
import { ProblemAlert } from '#ui/ProblemAlert.tsx'
import { Preflight } from './Preflight.tsx'
import { type PickedRooms, wireOf } from './picked-rooms.ts'
import { useMigrationName, whyNotStart } from './queries.ts'
import { useConfirmChange } from './use-migration-questions.ts'

export type RoomToMove = Pick<ProjectRoom, 'tenantName' | 'region'>

/** Asks to which region the rooms move. Each region that they come from has a configuration, found or made here. */
export function MoveRoomsDialog({ rooms }: { rooms: readonly RoomToMove[] }) {
  const { t } = useTranslation('migrations')
  return (
    <Dialog title={t('move.title', { count: rooms.length })} width="choice" closesOutside>
      <MoveForm rooms={rooms} />
    </Dialog>
  )
}

function MoveForm({ rooms }: { rooms: readonly RoomToMove[] }) {
  const { t } = useTranslation(['migrations', 'app'])
  const number = useNumberFormat()
  const [target, setTarget] = useState<number | null>(null)
  const [skips, setSkips] = useState(false)
  const close = useCloseDialog()
  const start = useMoves(close)
  const { mutate, isPending, error } = useMutation({ mutationFn: start })
  const moving = rooms.filter(({ region }) => region !== target)
  const there = rooms.length - moving.length
  const more = rooms.length - mostNames
  return (
    <Stack gap="md">
      <Text size="sm">{namesOf(rooms, t('move.more', { count: more, n: number.format(more) }))}</Text>
      <TargetSelect rooms={rooms} value={target} onChange={setTarget} />
      {there > 0 && <Text size="sm">{t('move.alreadyThere', { n: number.format(there) })}</Text>}
      <Checkbox
        label={t('start.skip')}
        description={t('start.skipHint')}
        checked={skips}
        onChange={(event) => setSkips(event.currentTarget.checked)}
      />
      {error !== null && <ProblemAlert title={t('saveFailed')}>{textOf(error)}</ProblemAlert>}
      <Group justify="flex-end">
        <Button variant="default" onClick={close}>
          {t('app:cancel')}
        </Button>
        <Button
          disabled={target === null || moving.length === 0}
          loading={isPending}
          onClick={() => target !== null && mutate({ rooms: moving, target, skippActiveSessions: skips })}
        >
          {t('move.next')}
        </Button>
      </Group>
    </Stack>
  )
}

const mostNames = 8

function namesOf(rooms: readonly RoomToMove[], more: string): string {
  const names = rooms.slice(0, mostNames).map(({ tenantName }) => tenantName)
  return [...names, ...(rooms.length > mostNames ? [more] : [])].join(', ')
}

interface TargetSelectProps {
  rooms: readonly RoomToMove[]
  value: number | null
  onChange: (target: number) => void
}

/** The enabled regions, without the only one in which the rooms are. */
function TargetSelect({ rooms, value, onChange }: TargetSelectProps) {
  const { t } = useTranslation('migrations')
  const number = useNumberFormat()
  const { data: regions = [], error } = useQuery(regionsQuery)
  const offered = regions.filter(
    ({ regionId, state }) => state === 'enabled' && rooms.some(({ region }) => region !== regionId),
  )
  const chosen = regions.find(({ regionId }) => regionId === value)
  return (
    <Select
      label={t('fields.targetRegion')}
      withAsterisk
      data-autofocus
      searchable
      allowDeselect={false}
      comboboxProps={{ keepMounted: false }}
      placeholder={t('pleaseSelect')}
      nothingFoundMessage={t('noRegion')}
      data={offered.map(({ regionId, regionName, regionIP }) => ({
        value: String(regionId),
        label: t('regionOption', { name: regionName, address: regionIP }),
      }))}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      description={
        chosen === undefined ? undefined : t('numberOfRooms', { n: number.format(chosen.numberOfProjectRooms) })
      }
      value={value === null ? null : String(value)}
      onChange={(id) => id !== null && onChange(Number(id))}
      {...(error === null ? {} : { error: textOf(error) })}
    />
  )
}

interface Moves {
  rooms: readonly RoomToMove[]
  target: number
  skippActiveSessions: boolean
}

interface MovingGroup {
  migration: LiveMigration
  picked: Extract<PickedRooms, { kind: 'named' }>
}

/** @returns a function that shows what would become of each room, asks, starts the moves and closes the dialog */
function useMoves(close: () => void): (moves: Moves) => Promise<void> {
  const { t } = useTranslation('migrations')
  const number = useNumberFormat()
  const nameOf = useMigrationName()
  const keyOf = useIdempotencyKey()
  const confirmChange = useConfirmChange()
  const findGroups = useGroups()
  // When one group was started and the next refused, another try is about the rest.
  const started = useRef(new Set<string>())
  return async (moves) => {
    const { skippActiveSessions } = moves
    const rooms = moves.rooms.filter(({ tenantName }) => !started.current.has(tenantName))
    if (rooms.length === 0) return close()
    const groups = await findGroups({ ...moves, rooms })
    const isWaiting = ({ picked }: MovingGroup) => [...picked.names].some((name) => !started.current.has(name))
    const [reason] = groups.flatMap(({ migration }) => whyNotStartMigration(migration) ?? [])
    const isStarted = await confirmChange({
      title: t('start.confirm'),
      width: 'most',
      question: t('start.question'),
      consequence: t('start.consequence', {
        name: groups.map(({ migration }) => nameOf(migration)).join(', '),
        n: number.format(rooms.length),
      }),
      details: groups.map(({ migration, picked }) => (
        <section key={migration.id} aria-label={nameOf(migration)}>
          {groups.length > 1 && (
            <Text fw={500} mt="md">
              {nameOf(migration)}
            </Text>
          )}
          <Preflight migration={migration} picked={picked} skippActiveSessions={skippActiveSessions} />
        </section>
      )),
      confirm: t('start.confirm'),
      useWhyNot:
        reason === undefined
          ? whyNotStart(() =>
              groups.filter(isWaiting).map(({ migration: { id }, picked }) => ({ id, picked, skippActiveSessions })),
            )
          : () => t(`reasons.${reason}`),
      failed: t('start.failed'),
      done: t('start.done'),
      async run(accept) {
        for (const { migration, picked } of groups.filter(isWaiting)) {
          const body = { liveMigrationData: { id: migration.id }, ...wireOf(picked), skippActiveSessions }
          const headers = keyOf({ ...body, after: migration.startDate })
          accept((await client.call('startLiveMigration', { body, headers })).body.operationId)
          for (const name of picked.names) started.current.add(name)
        }
      },
    })
    if (isStarted) close()
  }
}

/** @returns a function that finds or makes the configuration of each region that the rooms come from */
function useGroups(): (moves: Moves) => Promise<MovingGroup[]> {
  const queryClient = useQueryClient()
  return async ({ rooms, target }) => {
    const known = await queryClient.fetchQuery({ ...liveMigrationsQuery, staleTime: 0 })
    const groups: MovingGroup[] = []
    for (const source of new Set(rooms.map(({ region }) => region))) {
      const found = known.find((each) => each.sourceRegion === source && each.targetRegion === target)
      const names = rooms.filter(({ region }) => region === source).map(({ tenantName }) => tenantName)
      const migration = found ?? (await makeConfiguration(source, target))
      groups.push({ migration, picked: { kind: 'named', names: new Set(names) } })
    }
    void queryClient.invalidateQueries({ queryKey: regionsQuery.queryKey })
    return groups
  }
}

async function makeConfiguration(sourceRegion: number, targetRegion: number): Promise<LiveMigration> {
  return (await client.call('saveLiveMigration', { body: { sourceRegion, targetRegion } })).body
}
