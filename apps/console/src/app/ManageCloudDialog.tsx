import { Accordion, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useRouter, useSearch } from '@tanstack/react-router'
import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { useOperator } from '#api/OperatorContext.tsx'
import { regionsQuery } from '#api/queries.ts'
import { BackupPoliciesTab } from '#backup-policies/index.ts'
import { ConfigurationTab } from '#cloud-settings/index.ts'
import { screensOf } from '#command-palette/index.ts'
import { LiveMigrationTab, useLiveMigrations } from '#live-migrations/index.ts'
import { MonitoringTab } from '#monitoring/index.ts'
import { RegionsTab } from '#regions/index.ts'
import { DialogFoot } from '#ui/dialog/Dialog.tsx'
import { FullScreenSpinner } from '#ui/FullScreenSpinner.tsx'
import { FormDialog, useRequestClose } from '#ui/form/FormDialog.tsx'
import { type CloudTab, cloudTabs } from './cloud-tabs.ts'
import classes from './ManageCloudDialog.module.css'

const content: Readonly<Record<CloudTab, ReactNode>> = {
  configuration: <ConfigurationTab />,
  regions: <RegionsTab />,
  migration: <LiveMigrationTab />,
  backups: <BackupPoliciesTab />,
  monitoring: <MonitoringTab />,
}

/** The administrators' settings: configuration for all regions, the regions, live migrations, and monitoring. */
export function ManageCloudDialog() {
  const { t } = useTranslation('cloud')
  return (
    <FormDialog title={t('title')} width="widest" hasCloseButton={false}>
      <ManageCloud />
    </FormDialog>
  )
}

function ManageCloud() {
  const { t } = useTranslation(['cloud', 'app'])
  const { role } = useOperator()
  const requestClose = useRequestClose()
  const [openTab, show] = useTabAtAddress()
  // The first field of the configuration takes the focus by itself.
  const [focused] = useState(openTab === 'configuration' ? null : openTab)
  // Loaded when the dialog opens, whichever tab is shown first.
  const regions = useQuery(regionsQuery)
  const migrations = useLiveMigrations()
  const isLoading = regions.isPending || migrations.isPending
  return (
    <>
      {isLoading && createPortal(<FullScreenSpinner isOverlay />, document.body)}
      {/* One tab is always open, and entries in the other tabs stay. */}
      <Accordion
        order={3}
        variant="separated"
        value={openTab}
        onChange={(value) => show(cloudTabs.find((tab) => tab === value) ?? openTab)}
        classNames={{
          root: classes.root,
          item: classes.item,
          control: classes.control,
          label: classes.label,
          panel: classes.panel,
          content: classes.content,
        }}
      >
        {cloudTabs.map((tab) => (
          <Accordion.Item key={tab} value={tab}>
            <Accordion.Control data-autofocus={tab === focused || undefined}>{t(`tabs.${tab}`)}</Accordion.Control>
            <Accordion.Panel>
              {/* A suspended panel breaks React 19.3 when it is unmounted before its content has loaded. */}
              <Suspense>{content[tab]}</Suspense>
            </Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
      <DialogFoot>
        {screensOf(role, [openTab]).map(({ id, to }) => (
          <Link key={id} to={to} search={{ cloud: undefined }}>
            {t('asPage')}
          </Link>
        ))}
        <Button variant="default" onClick={requestClose}>
          {t('app:close')}
        </Button>
      </DialogFoot>
    </>
  )
}

/** The tab that the address names. A click shows a tab at once; the address follows. */
function useTabAtAddress(): [CloudTab, (tab: CloudTab) => void] {
  const router = useRouter()
  const named = useSearch({ from: '/project/_signed-in', select: ({ cloud }) => cloud })
  const [openTab, setOpenTab] = useState<CloudTab>(named ?? 'configuration')
  useEffect(() => {
    // Not what the address named before the last click.
    if (named !== undefined && router.latestLocation.search.cloud === named) setOpenTab(named)
  }, [named, router])
  const show = (cloud: CloudTab) => {
    setOpenTab(cloud)
    void router.navigate({ to: '.', search: (search) => ({ ...search, cloud }), replace: true, resetScroll: false })
  }
  return [openTab, show]
}
