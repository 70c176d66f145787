/** Downloads of live migrations, told by toasts. */
import i18next from 'i18next'
import { client } from '#api/client.ts'
import { isSessionEnd } from '#api/text-of-error.ts'
import { saveAs } from '#ui/save-as.ts'
import { toastError, toastSuccess } from '#ui/toast.ts'

type Exported = 'config' | 'logs'

/** All configurations as they are on the wire, indented by 4. */
export function exportConfig(): Promise<void> {
  return download('config', 'txt', () => client.open('liveMigrations', { query: { download: true } }))
}

/** The state entries of a configuration with their logs. */
export function exportLogs(id: number): Promise<void> {
  return download('logs', 'csv', () => client.open('exportMigrationLogs', { query: { id } }))
}

async function download(what: Exported, extension: string, open: () => Promise<Response>): Promise<void> {
  try {
    const content = await (await open()).blob()
    saveAs(content, `livemigration_${what}_${new Date().toISOString()}.${extension}`)
    toastSuccess(i18next.t(`migrations:export.${what}.title`), i18next.t(`migrations:export.${what}.done`))
  } catch (error) {
    if (isSessionEnd(error)) return
    toastError(i18next.t('migrations:export.failed'), i18next.t(`migrations:export.${what}.failed`))
  }
}
