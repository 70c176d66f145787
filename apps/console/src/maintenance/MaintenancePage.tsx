import { Button } from '@mantine/core'
import { IconPlugConnectedX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { textOf } from '#api/text-of-error.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { FullScreenSpinner } from '#ui/FullScreenSpinner.tsx'
import { BackButton, Page } from '#ui/Page.tsx'
import { MaintenanceForm } from './MaintenanceForm.tsx'
import { useMaintenance } from './queries.ts'

/** The screen that takes the site out of service for its visitors. */
export function MaintenancePage({ onBack }: { onBack: () => void }) {
  const { t } = useTranslation(['maintenance', 'app'])
  const { data, error, isPending, refetch } = useMaintenance()
  if (isPending) return <FullScreenSpinner />
  return (
    <Page title={t('title')} width="form" before={<BackButton onClick={onBack} />}>
      {data === undefined ? (
        <EmptyState
          isError
          icon={IconPlugConnectedX}
          title={t('loadFailed')}
          text={textOf(error)}
          action={<Button onClick={() => void refetch()}>{t('app:tryAgain')}</Button>}
        />
      ) : (
        <MaintenanceForm stored={data} />
      )}
    </Page>
  )
}
