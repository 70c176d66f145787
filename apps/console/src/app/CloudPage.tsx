import { Box } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { BackButton, Page } from '#ui/Page.tsx'
import type { CloudTab } from './cloud-tabs.ts'

/** A tab of the Manage Cloud dialog as a page of its own. */
export function CloudPage({ tab, children }: { tab: CloudTab; children: ReactNode }) {
  const { t } = useTranslation('cloud')
  return (
    <Page title={t(`tabs.${tab}`)} before={<BackButton />}>
      <Box className="rk-panel" p="lg" bdrs="lg">
        {children}
      </Box>
    </Page>
  )
}
