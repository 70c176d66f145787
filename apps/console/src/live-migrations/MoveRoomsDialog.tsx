import { Text } from '@mantine/core'
import { codedError, type LiveMigration, type ProjectRoom } from '@roomkeeper/contract'
import { whyNotStartMigration } from '@roomkeeper/rules'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { client, useIdempotencyKey } from '#api/client.ts'
import { liveMigrationsQuery, regionsQuery } from '#api/queries.ts'
import { textOf } from '#api/text-of-error.ts'
import { useCloseDialog } from '#ui/dialog/open-dialogs.ts'
import { CheckField } from '#ui/form/Fields.tsx'
import { DialogButtons, Form, FormFailure } from '#ui/form/Form.tsx'
import { FormDialog } from '#ui/form/FormDialog.tsx'
import { type FormErrors, useField } from '#ui/form/resource-form.ts'
import { SelectField } from '#ui/form/SelectField.tsx'
import { useResourceForm } from '#ui/form/use-resource-form.ts'
import { useNumberFormat } from '#ui/format.ts'
import { Preflight } from './Preflight.tsx'
import { type PickedRooms, wireOf } from './picked-rooms.ts'
import { useMigrationName, whyNotStart } from './queries.ts'
import { useConfirmChange } from './use-migration-questions.ts'

export type RoomToMove = Pick<ProjectRoom, 'tenantName' | 'region'>

/** Asks to which region the rooms move. Each region that they come from has a configuration, found or made here. */
export function MoveRoomsDialog({ rooms }: { rooms: readonly RoomToMove[] }) {
  const { t } = useTranslation('migrations')
  return (
    <FormDialog title={t('move.title', { count: rooms.length })} width="choice">
      <MoveForm rooms={rooms} />
    </FormDialog>
  )
}

interface Entries {
  /** The id of the region. */
  target: string | null
  skips: boolean
}

function MoveForm({ rooms }: { rooms: readonly RoomToMove[] }) {
  const { t } = useTranslation('migrations')
  const number = useNumberFormat()
  const start = useMoves(useCloseDialog())
  const movingTo = (target: string | null) => rooms.filter(({ region }) => String(region) !== target)
  const initial: Entries = { target: null, skips: false }
  const form = useResourceForm({
    initial,
    checks: ({ target }): FormErrors => ({
      ...(target === null ? { target: codedError('region-not-selected') } : {}),
      ...(movingTo(target).length === 0 ? { target: t('move.alreadyThere', { n: number.format(rooms.length) }) } : {}),
    }),
    // Until the moves have started: the question before may be answered with no.
    isUnsaved: ({ target, skips }) => target !== null || skips,
    submit: ({ target, skips }) =>
      start({ rooms: movingTo(target), target: Number(target), skippActiveSessions: skips }),
  })
  const there = rooms.length - movingTo(form.values.target).length
  const more = rooms.length - mostNames
  return (
    <Form form={form}>
      <Text size="sm">{namesOf(rooms, t('move.more', { count: more, n: number.format(more) }))}</Text>
      <TargetField rooms={rooms} />
      {there > 0 && <Text size="sm">{t('move.alreadyThere', { n: number.format(there) })}</Text>}
      <CheckField name="skips" label={t('start.skip')} description={t('start.skipHint')} />
      <FormFailure title={t('saveFailed')} />
      <DialogButtons submit={t('move.next')} />
    </Form>
  )
}

const mostNames = 8

function namesOf(rooms: readonly RoomToMove[], more: string): string {
  const names = rooms.slice(0, mostNames).map(({ tenantName }) => tenantName)
  return [...names, ...(rooms.length > mostNames ? [more] : [])].join(', ')
}

/** The enabled regions, without the only one in which the rooms are. */
function TargetField({ rooms }: { rooms: readonly RoomToMove[] }) {
  const { t } = useTranslation('migrations')
  const number = useNumberFormat()
  const { value } = useField<string | null>('target')
  const { data: regions = [], error } = useQuery(regionsQuery)
  const offered = regions.filter(
    ({ regionId, state }) => state === 'enabled' && rooms.some(({ region }) => region !== regionId),
  )
  const chosen = regions.find(({ regionId }) => String(regionId) === value)
  return (
    <SelectField
      name="target"
      label={t('fields.targetRegion')}
      withAsterisk
      searchable
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
