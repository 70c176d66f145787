import { Skeleton } from '@mantine/core'
import type { MigrationStateEntry } from '@roomkeeper/contract'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { textOf } from '#api/text-of-error.ts'
import { Dialog } from '#ui/dialog/Dialog.tsx'
import { LoadFailure } from '#ui/ProblemAlert.tsx'
import classes from './LiveMigrations.module.css'
import { stateLogsQuery } from './queries.ts'

/** What was logged while a room was migrated, and why it failed. */
export function StateLogsDialog({ entry }: { entry: MigrationStateEntry }) {
  const { t } = useTranslation('migrations')
  return (
    <Dialog title={t('state.logsOf', { name: entry.projectRoomName })} width="most" closesOutside>
      <StateLogs id={entry.id} />
    </Dialog>
  )
}

function StateLogs({ id }: { id: number }) {
  const { t } = useTranslation('migrations')
  const { data, error, refetch } = useQuery(stateLogsQuery(id))
  if (data === undefined) {
    if (error === null) return <Skeleton height={220} />
    return <LoadFailure title={t('state.logsFailed')} text={textOf(error)} onAgain={() => void refetch()} />
  }
  return (
    <>
      {data.errorInfo !== '' && <Text name={t('state.error')} text={data.errorInfo} isError />}
      {data.logInfo === '' ? <p>{t('state.noLog')}</p> : <Text name={t('state.log')} text={data.logInfo} />}
    </>
  )
}

function Text({ name, text, isError = false }: { name: string; text: string; isError?: boolean }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section className={classes.text} aria-label={name} data-error={isError || undefined} tabIndex={0}>
      {text}
    </section>
  )
}
