/** The questions before live migrations are changed. */
import type { LiveMigration, MigrationStateEntry } from '@roomkeeper/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { useRegionName } from '#api/queries.ts'
import { textOf } from '#locales/error-texts.ts'
import { toastAccepted } from '#operations/index.ts'
import { type Confirmation, confirm } from '#ui/dialog/confirm.tsx'
import { toastSuccess } from '#ui/toast.ts'
import { deleteMigration, useMigrationName } from './queries.ts'

export function useMigrationQuestions() {
  const { t } = useTranslation('migrations')
  const confirmChange = useConfirmChange()
  const migrationName = useMigrationName()
  return {
    deleteMigration: (migration: LiveMigration) =>
      confirmChange({
        title: t('delete.title'),
        question: t('delete.question'),
        consequence: t('delete.consequence', { name: migrationName(migration) }),
        confirm: t('delete.confirm'),
        danger: true,
        failed: t('delete.failed'),
        done: t('delete.done'),
        run: () => deleteMigration(migration.id),
      }),
    stop: (migration: LiveMigration) =>
      confirmChange({
        title: t('stop.title'),
        question: t('stop.question'),
        consequence: t('stop.consequence', { name: migrationName(migration) }),
        confirm: t('stop.confirm'),
        danger: true,
        failed: t('stop.failed'),
        done: t('stop.done'),
        run: () => client.call('stopLiveMigration', { body: { id: migration.id } }),
      }),
    resetPriority: (migration: LiveMigration) =>
      confirmChange({
        title: t('reset.title'),
        question: t('reset.question'),
        consequence: t('reset.consequence', { name: migrationName(migration) }),
        confirm: t('reset.title'),
        failed: t('reset.failed'),
        done: t('reset.done'),
        run: () => client.call('resetLiveMigrationPriority', { body: { id: migration.id, all: false } }),
      }),
  }
}

export function useStateQuestions(migration: LiveMigration) {
  const { t } = useTranslation('migrations')
  const confirmChange = useConfirmChange()
  const target = useRegionName()(migration.targetRegion)
  return {
    deleteStates: (entries: readonly MigrationStateEntry[]) =>
      confirmChange({
        title: t('state.deleteTitle'),
        question: t('state.deleteQuestion'),
        consequence: t('state.deleteConsequence', { names: entries.map((each) => each.projectRoomName).join(', ') }),
        confirm: t('state.delete'),
        danger: true,
        failed: t('state.deleteFailed'),
        done: t('state.deleteDone'),
        run: () => {
          const body = { states: entries.map((each) => each.id), liveMigrationDataID: migration.id }
          return client.call('deleteMigrationStates', { body })
        },
      }),
    /** Asks for the name of the target region, so that no operator deletes on the wrong one. */
    forceDelete: (projectRoomNames: string[]) =>
      confirmChange({
        title: t('force.title'),
        question: t('force.question', { names: projectRoomNames.join(', ') }),
        consequence: t('force.consequence', { target }),
        confirm: t('force.confirm'),
        nameToType: target,
        danger: true,
        failed: t('force.failed'),
        done: t('force.accepted'),
        async run(accept) {
          const body = { projectRoomNames, liveMigrationDataID: migration.id }
          accept((await client.call('forceDeleteFailedRooms', { body })).body.operationId)
        },
      }),
  }
}

interface Change extends Omit<Confirmation, 'run'> {
  /** The text of the toast after a success. */
  done: string
  /** @param accept to be called with each operation that was started: the toast then says how it ended */
  run: (accept: (operationId: string) => void) => Promise<unknown>
}

/** @returns a function that asks before a change of live migrations, and makes it */
export function useConfirmChange() {
  const { t } = useTranslation('migrations')
  const refetch = useRefetchMigrations()
  return async ({ done, run, ...question }: Change) => {
    const accepted: string[] = []
    const isDone = await confirm({ ...question, textOf, run: () => run((id) => accepted.push(id)).finally(refetch) })
    for (const id of accepted) toastAccepted(id, { title: t('title'), text: done })
    if (isDone && accepted.length === 0) toastSuccess(t('title'), done)
    return isDone
  }
}

/** Refetches even after a refusal, which means that the configuration has changed meanwhile. */
export function useRefetchMigrations(): () => void {
  const queryClient = useQueryClient()
  return () => {
    for (const key of ['live-migrations', 'regions']) void queryClient.invalidateQueries({ queryKey: [key] })
  }
}
