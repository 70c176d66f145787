import type { LiveMigration } from '@roomkeeper/contract'
import {
  type MigrationReason,
  offersResetAll,
  whyNotChangeMigration,
  whyNotDeleteMigration,
  whyNotResetPriority,
  whyNotStartMigration,
  whyNotStopMigration,
} from '@roomkeeper/rules'
import { useQueryClient } from '@tanstack/react-query'
import i18next from 'i18next'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { liveMigrationsQuery } from '#api/queries.ts'
import { isSessionEnd, textOf } from '#locales/error-texts.ts'
import { chosenCsvFormat } from '#ui/csv-format.ts'
import { openDialog } from '#ui/dialog/open-dialogs.ts'
import { downloadFrom } from '#ui/download-from.ts'
import { saveAs } from '#ui/save-as.ts'
import { toastError, toastSuccess, toastWarning } from '#ui/toast.ts'
import { MigrationDialog } from './MigrationDialog.tsx'
import type { RowAction } from './MigrationsTable.tsx'
import { ResetPriorityDialog } from './ResetPriorityDialog.tsx'
import { StartMigrationDialog } from './StartMigrationDialog.tsx'
import { StateDialog } from './StateDialog.tsx'
import { useMigrationQuestions } from './use-migration-questions.ts'

/** The buttons above the table. */
export type ToolbarAction = 'new' | 'edit' | 'delete' | 'refresh' | 'exportConfig' | 'exportLogs'

/** The dialog opens this long after the refresh. */
const editMilliseconds = 200

/** Runs the toolbar's actions on the selected configurations. */
export function useMigrationActions(selected: readonly LiveMigration[]) {
  const { t } = useTranslation('migrations')
  const questions = useMigrationQuestions()
  const [busy, setBusy] = useState<ToolbarAction | null>(null)
  const refresh = useRefresh()
  const isShown = useRef(true)
  useEffect(() => {
    isShown.current = true
    return () => {
      isShown.current = false
    }
  }, [])
  const during = async (action: ToolbarAction, work: () => Promise<unknown>) => {
    setBusy(action)
    await work()
    setBusy(null)
  }
  const isRefused = (reason: MigrationReason | null) => {
    if (reason !== null) toastWarning(t('title'), t(`reasons.${reason}`))
    return reason !== null
  }
  const edit = async (id: number) => {
    const fresh = (await refresh())?.find((each) => each.id === id)
    if (fresh === undefined || isRefused(whyNotChangeMigration(fresh))) return
    await new Promise((resolve) => setTimeout(resolve, editMilliseconds))
    // Meanwhile the operator may have opened another tab or closed the dialog.
    if (isShown.current) openDialog(<MigrationDialog stored={fresh} />)
  }
  const runOnSelected = (action: 'edit' | 'delete' | 'exportLogs') => {
    const [migration, ...others] = selected
    if (migration === undefined || others.length > 0) return toastWarning(t('title'), t('selectOne'))
    const { id } = migration
    if (action === 'exportLogs') return void during(action, () => exportLogs(id))
    if (action === 'edit') return void during(action, () => edit(id))
    if (!isRefused(whyNotDeleteMigration(migration))) void questions.deleteMigration(migration)
  }
  return {
    busy,
    run: (action: ToolbarAction) => {
      if (action === 'new') return void openDialog(<MigrationDialog stored={null} />)
      if (action === 'refresh') return void during(action, refresh)
      if (action === 'exportConfig') return void during(action, exportConfig)
      runOnSelected(action)
    },
    runOnRow: (action: RowAction, migration: LiveMigration) => {
      if (isRefused(whyNot(action, migration))) return
      if (action === 'stop') void questions.stop(migration)
      else if (action === 'start') openDialog(<StartMigrationDialog migration={migration} />)
      else if (action === 'state') openDialog(<StateDialog migration={migration} />)
      else if (offersResetAll(migration)) openDialog(<ResetPriorityDialog migration={migration} />)
      else void questions.resetPriority(migration)
    },
  }
}

/**
 * @returns a function that refetches the list, which clears ended warnings. It gives null if that failed; a toast says
 * so.
 */
function useRefresh(): () => Promise<LiveMigration[] | null> {
  const { t } = useTranslation('migrations')
  const queryClient = useQueryClient()
  return async () => {
    try {
      void queryClient.invalidateQueries({ queryKey: ['live-migrations', 'progress'] })
      return await queryClient.fetchQuery({ ...liveMigrationsQuery, staleTime: 0 })
    } catch (error) {
      if (!isSessionEnd(error)) toastError(t('refreshFailed'), textOf(error))
      return null
    }
  }
}

function whyNot(action: RowAction, migration: LiveMigration): MigrationReason | null {
  switch (action) {
    case 'start':
      return whyNotStartMigration(migration)
    case 'stop':
      return whyNotStopMigration(migration)
    case 'resetPriority':
      return whyNotResetPriority(migration)
    case 'state':
      return null
  }
}

/** Downloads of live migrations, reported by toasts. */
type Exported = 'config' | 'logs'

/** Downloads all configurations in the API's format, indented by 4. They are few. */
export function exportConfig(): Promise<void> {
  return withToast('config', async () => {
    const content = await (await client.open('liveMigrations', { query: { download: true } })).blob()
    saveAs(content, `livemigration_config_${new Date().toISOString()}.txt`)
  })
}

/** Has the browser download the state entries of a configuration with their logs. */
export function exportLogs(id: number): Promise<void> {
  return withToast('logs', async () => {
    downloadFrom((await client.call('createMigrationLogsTicket', { body: { id, csv: chosenCsvFormat() } })).body.url)
  })
}

async function withToast(what: Exported, download: () => Promise<void>): Promise<void> {
  try {
    await download()
    toastSuccess(i18next.t(`migrations:export.${what}.title`), i18next.t(`migrations:export.${what}.done`))
  } catch (error) {
    if (isSessionEnd(error)) return
    toastError(i18next.t('migrations:export.failed'), i18next.t(`migrations:export.${what}.failed`))
  }
}
